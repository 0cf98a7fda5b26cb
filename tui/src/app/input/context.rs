//! Where keys work: the contexts of screens and layers.

/// Where a command's keys work. Every screen and layer has its own context above general ones.
#[derive(Debug)]
pub(crate) struct Context {
    /// Unique title for people.
    pub(crate) title: &'static str,
    /// The next general context, active together with this one.
    below: Option<&'static Context>,
    /// Whether it belongs to a layer, whose commands only work there.
    pub(crate) is_layer: bool,
    /// Whether many kinds of screens share it, some without support for all its commands.
    pub(crate) is_general: bool,
}

/// Active everywhere.
pub(crate) static ALWAYS: Context = Context {
    title: "Always",
    below: None,
    is_layer: false,
    is_general: false,
};
/// Active on every screen without a layer.
pub(crate) static ANYWHERE: Context = Context::above("On every screen", &ALWAYS).general();
/// Active on screens with a list.
pub(crate) static LIST: Context = Context::above("In lists", &ANYWHERE).general();

impl Context {
    /// A context above another.
    pub(crate) const fn above(title: &'static str, below: &'static Context) -> Self {
        Context {
            title,
            below: Some(below),
            is_layer: false,
            is_general: false,
        }
    }

    /// Marks it as shared by many kinds of screens.
    pub(crate) const fn general(mut self) -> Self {
        self.is_general = true;
        self
    }

    /// The context of a screen.
    pub(crate) const fn screen(title: &'static str) -> Self {
        Context::above(title, &ANYWHERE)
    }

    /// The context of a screen with a list.
    pub(crate) const fn list(title: &'static str) -> Self {
        Context::above(title, &LIST)
    }

    /// The context of a layer.
    pub(crate) const fn layer(title: &'static str) -> Self {
        Context {
            is_layer: true,
            ..Context::above(title, &ALWAYS)
        }
    }

    /// All active contexts if this is the nearest, beginning with this one.
    pub(crate) fn stack(&self) -> impl Iterator<Item = &Context> {
        std::iter::successors(Some(self), |context| context.below)
    }

    /// The distance to another context; `None` if that is not active here.
    pub(crate) fn distance(&self, other: &Context) -> Option<usize> {
        self.stack().position(|context| context == other)
    }

    /// Whether both can be active at the same time.
    pub(crate) fn overlaps(&self, other: &Context) -> bool {
        self.distance(other).is_some() || other.distance(self).is_some()
    }
}

impl PartialEq for Context {
    fn eq(&self, other: &Context) -> bool {
        self.title == other.title
    }
}
