//! `#[derive(Wire)]`: a struct that crosses the wire becomes a static table of its fields, and one function each to read
//! and to write it. Everything else is interpreted over the table, in `frontdesk_protocol::wire`.
//!
//! On the struct, `#[wire(strict)]` refuses unknown fields, and `#[wire(inline)]` keeps it out of the shared definitions of
//! a schema. On a field:
//!
//! - `optional`: written only if it differs from its omission;
//! - `default`: its omission means the default of its type;
//! - `"todo"`, `0`: the schema names this default, which the host applies;
//! - `flatten`: its fields are fields of this struct;
//! - `rename = "type"`: its name on the wire;
//! - `amount`, `secret`, `text`: a mark in its schema;
//! - `header = "Region"`: requests without a session repeat it in the header `Mcp-Param-Region`.

mod record;

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{Attribute, Data, DeriveInput, Expr, ExprLit, Fields, Lit, LitStr, Meta};

/// Derives `Wire` and `Table`.
#[proc_macro_derive(Wire, attributes(wire))]
pub fn derive(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let expanded = syn::parse(input).and_then(|input| expand(&input));
    expanded
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}

/// Declares a record, and the tools that create and change it, with each field once.
///
/// A field without brackets is computed: no tool sets it. `[create]` is an argument of the tool that creates the
/// record: required, unless the type is an `Option`; `[create?]` can be omitted, and so can `[create = "todo"]`, which
/// then has that value. `[change]` is an argument of the tool that changes it, and an `Option` can be cleared unless
/// the mark has a type of its own: `[change: Change<Name>]`. The types are those of arguments, with their bounds; in
/// the record each is what it holds: `String` for a `Name`. A tool takes the doc comments of the fields, those that
/// creation requires first; its further arguments stand in braces. `summary` declares the form of the record in lists,
/// without the fields that are `[unlisted]`.
///
/// ```text
/// record! {
///     /// A task of an event.
///     Task {
///         id: TaskId,
///         event_id: EventId [create],
///         title: Name [create, change],
///         description: Option<Prose> [create, change],
///         status: TaskStatus [create = "todo", change],
///         updated_at: Timestamp,
///     }
///     /// Adds a task to an event.
///     create CreateEventTask = "create_event_task" on Events for Roles::DESK;
///     /// Changes a task.
///     change UpdateEventTask = "update_event_task" on Events for Roles::DESK;
/// }
/// ```
#[proc_macro]
pub fn record(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let declared = syn::parse_macro_input!(input as record::Declared);
    declared.expand().into()
}

/// What the attributes of a struct or field say.
#[derive(Default)]
struct Marks {
    strict: bool,
    inline: bool,
    optional: bool,
    default: bool,
    flatten: bool,
    amount: bool,
    secret: bool,
    text: bool,
    shown: Option<String>,
    rename: Option<LitStr>,
    header: Option<LitStr>,
}

impl Marks {
    fn of(attributes: &[Attribute]) -> syn::Result<Marks> {
        let mut marks = Marks::default();
        for attribute in attributes.iter().filter(|one| one.path().is_ident("wire")) {
            if let Ok(value) = attribute.parse_args::<Lit>() {
                marks.shown = Some(value.into_token_stream().to_string());
                continue;
            }
            attribute.parse_nested_meta(|meta| {
                let flag = match meta.path.require_ident()?.to_string().as_str() {
                    "strict" => &mut marks.strict,
                    "inline" => &mut marks.inline,
                    "optional" => &mut marks.optional,
                    "default" => &mut marks.default,
                    "flatten" => &mut marks.flatten,
                    "amount" => &mut marks.amount,
                    "secret" => &mut marks.secret,
                    "text" => &mut marks.text,
                    "rename" => {
                        marks.rename = Some(meta.value()?.parse()?);
                        return Ok(());
                    }
                    "header" => {
                        marks.header = Some(meta.value()?.parse()?);
                        return Ok(());
                    }
                    _ => return Err(meta.error("unknown mark")),
                };
                *flag = true;
                Ok(())
            })?;
        }
        Ok(marks)
    }
}

/// The doc comment, with the lines of a paragraph joined.
fn document(attributes: &[Attribute]) -> String {
    let mut text = String::new();
    for attribute in attributes {
        if let Meta::NameValue(pair) = &attribute.meta
            && pair.path.is_ident("doc")
            && let Expr::Lit(ExprLit {
                lit: Lit::Str(line),
                ..
            }) = &pair.value
        {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(line.value().trim());
        }
    }
    text
}

fn expand(input: &DeriveInput) -> syn::Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        let message = "only structs have a table: implement `Wire` by hand, or use `words!`";
        return Err(syn::Error::new_spanned(&input.ident, message));
    };
    let Fields::Named(fields) = &data.fields else {
        let message = "the fields need names";
        return Err(syn::Error::new_spanned(&input.ident, message));
    };
    let name = &input.ident;
    let marks = Marks::of(&input.attrs)?;
    let (is_strict, is_inline) = (marks.strict, marks.inline);
    let text = document(&input.attrs);

    let (mut rows, mut reads, mut names, mut writes) = (vec![], vec![], vec![], vec![]);
    for (at, field) in fields.named.iter().enumerate() {
        let Some(ident) = &field.ident else { continue };
        let kind = &field.ty;
        let marks = Marks::of(&field.attrs)?;
        let spoken = match &marks.rename {
            Some(rename) => rename.value(),
            None => ident.unraw().to_string(),
        };
        let text = document(&field.attrs);
        let is_optional = marks.optional;
        let header = &marks.header;
        let mark = match (marks.amount, marks.secret, marks.text) {
            _ if header.is_some() => {
                quote!(Some(::frontdesk_protocol::wire::Mark::Header(#header)))
            }
            (true, _, _) => quote!(Some(::frontdesk_protocol::wire::Mark::Amount)),
            (_, true, _) => quote!(Some(::frontdesk_protocol::wire::Mark::Secret)),
            (_, _, true) => quote!(Some(::frontdesk_protocol::wire::Mark::Text)),
            _ => quote!(None),
        };
        let omitted = match (&marks.shown, marks.default) {
            (Some(json), _) => quote!(::frontdesk_protocol::wire::Omitted::Shown(#json)),
            (None, true) => {
                quote!(::frontdesk_protocol::wire::Omitted::Default(::frontdesk_protocol::wire::default_of::<#kind>))
            }
            (None, false) => quote!(::frontdesk_protocol::wire::Omitted::OfType),
        };
        let of = match marks.flatten {
            true => {
                quote!(::frontdesk_protocol::wire::Of::Table(<#kind as ::frontdesk_protocol::wire::Table>::SHAPE))
            }
            false => {
                quote!(::frontdesk_protocol::wire::Of::Type(::frontdesk_protocol::wire::Type::of::<#kind>()))
            }
        };
        rows.push(quote! {
            ::frontdesk_protocol::wire::Field {
                name: #spoken, document: #text, is_optional: #is_optional, omitted: #omitted, mark: #mark, of: #of,
            }
        });
        // Not the field's own name, which can be that of another variable.
        let local = format_ident!("field_{at}");
        reads.push(match (marks.flatten, marks.default) {
            (true, _) => quote!(let #local = <#kind as ::frontdesk_protocol::wire::Wire>::read(value, reader);),
            (_, true) => quote!(let #local = reader.field_or_default::<#kind>(fields, &shape.fields[#at]);),
            _ => quote!(let #local = reader.field::<#kind>(fields, &shape.fields[#at]);),
        });
        names.push(quote!(#ident: #local?));
        writes.push(match (marks.flatten, marks.optional, marks.default) {
            (true, _, _) => quote!(::frontdesk_protocol::wire::Wire::write_into(&self.#ident, fields);),
            (_, true, true) => quote! {
                if self.#ident != Default::default() {
                    ::frontdesk_protocol::wire::put(fields, #spoken, &self.#ident);
                }
            },
            (_, true, _) => quote!(::frontdesk_protocol::wire::put_unless_omitted(fields, #spoken, &self.#ident);),
            _ => quote!(::frontdesk_protocol::wire::put(fields, #spoken, &self.#ident);),
        });
    }

    let mut generics = input.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter
            .bounds
            .push(syn::parse_quote!(::frontdesk_protocol::wire::Wire));
    }
    let (head, tail, bounds) = generics.split_for_impl();
    let mut lifetime = generics.clone();
    lifetime.params.insert(0, syn::parse_quote!('de));
    let (read_head, _, _) = lifetime.split_for_impl();
    let title = name.to_string();
    Ok(quote! {
        impl #head ::frontdesk_protocol::wire::Table for #name #tail #bounds {
            const SHAPE: &'static ::frontdesk_protocol::wire::Shape = &::frontdesk_protocol::wire::Shape {
                name: #title, document: #text, is_strict: #is_strict, is_inline: #is_inline, fields: &[#(#rows),*],
                schema: None,
            };
        }

        impl #head ::frontdesk_protocol::value::Argument for #name #tail #bounds {
            type Plain = Self;
        }

        impl #head ::frontdesk_protocol::wire::Wire for #name #tail #bounds {
            fn read(value: &serde_json::Value, reader: &mut ::frontdesk_protocol::wire::Reader) -> Option<Self> {
                let shape = <Self as ::frontdesk_protocol::wire::Table>::SHAPE;
                let fields = reader.object(value, shape)?;
                #(#reads)*
                Some(Self { #(#names),* })
            }

            fn write(&self) -> serde_json::Value {
                let mut fields = serde_json::Map::new();
                ::frontdesk_protocol::wire::Wire::write_into(self, &mut fields);
                serde_json::Value::Object(fields)
            }

            fn write_into(&self, fields: &mut serde_json::Map<String, serde_json::Value>) {
                #(#writes)*
            }

            fn schema(schemas: &mut ::frontdesk_protocol::wire::Schemas) -> serde_json::Value {
                schemas.record(<Self as ::frontdesk_protocol::wire::Table>::SHAPE)
            }
        }

        impl #head serde::Serialize for #name #tail #bounds {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serde::Serialize::serialize(&::frontdesk_protocol::wire::Wire::write(self), serializer)
            }
        }

        impl #read_head serde::Deserialize<'de> for #name #tail #bounds {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                ::frontdesk_protocol::wire::deserialize(deserializer)
            }
        }
    })
}
