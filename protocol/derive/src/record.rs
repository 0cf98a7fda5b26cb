//! `record!`: a record and its tools, with each field declared once.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, GenericArgument, Ident, Lit, LitStr, PathArguments, Token, Type, braced, bracketed,
    parenthesized,
};

/// A record with its tools.
pub(crate) struct Declared {
    attributes: Vec<Attribute>,
    name: Ident,
    /// Its keys and roles for `resource!`, unless that stands by itself.
    resource: Option<TokenStream>,
    fields: Vec<Field>,
    /// The shorter form for lists.
    summary: Option<(Vec<Attribute>, Ident)>,
    /// Longer forms.
    forms: Vec<Ident>,
    tools: Vec<Tool>,
}

struct Field {
    attributes: Vec<Attribute>,
    name: Ident,
    kind: Type,
    create: Option<Create>,
    is_changed: bool,
    /// The argument of the tool that changes the record, if it is another than follows from the type.
    changed_as: Option<Type>,
    /// Lists leave it out.
    is_unlisted: bool,
}

/// How the tool that creates the record takes the field.
enum Create {
    /// As the type says: required unless it is an `Option`.
    AsTyped,
    /// It can be omitted.
    Optional,
    /// It can be omitted, and then has this value.
    Default(Lit),
}

/// A tool of the record.
struct Tool {
    verb: Ident,
    name: Ident,
    /// The argument with the id of the record, if it is not `id`.
    id: Option<TokenStream>,
    /// `None` if `tool!` declares it.
    declaration: Option<Declaration>,
}

struct Declaration {
    attributes: Vec<Attribute>,
    called: LitStr,
    host: Ident,
    audience: TokenStream,
    required: TokenStream,
    optional: TokenStream,
}

impl Parse for Declared {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let name = input.parse()?;
        let mut resource = None;
        if input.peek(Token![=]) {
            resource = Some(up_to(input, |input| input.peek(syn::token::Brace))?);
        }
        let inner;
        braced!(inner in input);
        let fields = Punctuated::<Field, Token![,]>::parse_terminated(&inner)?;
        let mut declared = Declared {
            attributes,
            name,
            resource,
            fields: fields.into_iter().collect(),
            summary: None,
            forms: Vec::new(),
            tools: Vec::new(),
        };
        while !input.is_empty() {
            let attributes = input.call(Attribute::parse_outer)?;
            let verb: Ident = input.parse()?;
            if verb == "summary" {
                declared.summary = Some((attributes, input.parse()?));
                input.parse::<Token![;]>()?;
            } else if verb == "form" {
                declared.forms.push(input.parse()?);
                input.parse::<Token![;]>()?;
            } else {
                declared.tools.push(Tool::parse(attributes, verb, input)?);
            }
        }
        Ok(declared)
    }
}

/// The tokens up to a place.
fn up_to(
    input: ParseStream<'_>,
    is_there: impl Fn(ParseStream<'_>) -> bool,
) -> syn::Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !is_there(input) {
        tokens.extend(std::iter::once(input.parse::<TokenTree>()?));
    }
    Ok(tokens)
}

impl Parse for Field {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut field = Field {
            attributes: input.call(Attribute::parse_outer)?,
            name: input.parse()?,
            kind: {
                input.parse::<Token![:]>()?;
                input.parse()?
            },
            create: None,
            is_changed: false,
            changed_as: None,
            is_unlisted: false,
        };
        if input.peek(syn::token::Bracket) {
            let marks;
            bracketed!(marks in input);
            while !marks.is_empty() {
                let verb: Ident = marks.parse()?;
                match verb.to_string().as_str() {
                    "create" if marks.peek(Token![?]) => {
                        marks.parse::<Token![?]>()?;
                        field.create = Some(Create::Optional);
                    }
                    "create" if marks.peek(Token![=]) => {
                        marks.parse::<Token![=]>()?;
                        field.create = Some(Create::Default(marks.parse()?));
                    }
                    "create" => field.create = Some(Create::AsTyped),
                    "change" => {
                        field.is_changed = true;
                        if marks.peek(Token![:]) {
                            marks.parse::<Token![:]>()?;
                            field.changed_as = Some(marks.parse()?);
                        }
                    }
                    "unlisted" => field.is_unlisted = true,
                    _ => {
                        let message = "`create`, `change` or `unlisted`";
                        return Err(syn::Error::new(verb.span(), message));
                    }
                }
                if !marks.is_empty() {
                    marks.parse::<Token![,]>()?;
                }
            }
        }
        Ok(field)
    }
}

impl Tool {
    fn parse(attributes: Vec<Attribute>, verb: Ident, input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.parse()?;
        let mut id = None;
        if input.peek(syn::token::Paren) {
            let argument;
            parenthesized!(argument in input);
            id = Some(argument.parse()?);
        }
        let mut declaration = None;
        if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            declaration = Some(Declaration::parse(attributes, input)?);
        } else {
            input.parse::<Token![;]>()?;
        }
        Ok(Tool {
            verb,
            name,
            id,
            declaration,
        })
    }
}

impl Declaration {
    fn parse(attributes: Vec<Attribute>, input: ParseStream<'_>) -> syn::Result<Self> {
        let called = input.parse()?;
        let on: Ident = input.parse()?;
        if on != "on" {
            return Err(syn::Error::new(on.span(), "`on` and the host"));
        }
        let host = input.parse()?;
        input.parse::<Token![for]>()?;
        let audience = up_to(input, |input| {
            input.peek(syn::token::Brace) || input.peek(Token![;])
        })?;
        let (mut required, mut optional) = (TokenStream::new(), TokenStream::new());
        if input.peek(Token![;]) {
            input.parse::<Token![;]>()?;
        } else {
            let more;
            braced!(more in input);
            while !more.is_empty() {
                let section: Ident = more.parse()?;
                let arguments;
                braced!(arguments in more);
                let arguments: TokenStream = arguments.parse()?;
                match section.to_string().as_str() {
                    "req" => required.extend(arguments),
                    "opt" => optional.extend(arguments),
                    _ => return Err(syn::Error::new(section.span(), "`req` or `opt`")),
                }
            }
        }
        Ok(Declaration {
            attributes,
            called,
            host,
            audience,
            required,
            optional,
        })
    }
}

/// The `T` of an `Option<T>`.
fn inside_option(kind: &Type) -> Option<&Type> {
    let Type::Path(path) = kind else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match arguments.args.first()? {
        GenericArgument::Type(inner) if last.ident == "Option" => Some(inner),
        _ => None,
    }
}

impl Field {
    fn documents(&self) -> impl Iterator<Item = &Attribute> {
        let all = self.attributes.iter();
        all.filter(|attribute| attribute.path().is_ident("doc"))
    }

    /// The field of the record.
    fn stored(&self) -> TokenStream {
        let (attributes, name, kind) = (&self.attributes, &self.name, &self.kind);
        if self.create.is_none() && !self.is_changed {
            return quote!(#(#attributes)* pub #name: #kind,);
        }
        let inner = inside_option(kind).unwrap_or(kind);
        let plain = quote!(<#inner as ::frontdesk_protocol::value::Argument>::Plain);
        let plain = match inside_option(kind) {
            Some(_) => quote!(Option<#plain>),
            None => plain,
        };
        let is_amount = inner.to_token_stream().to_string() == "Amount";
        let mark = is_amount.then(|| quote!(#[wire(amount)]));
        quote!(#(#attributes)* #mark pub #name: #plain,)
    }

    /// Adds the field to the arguments of the tool that creates the record.
    fn create(&self, required: &mut TokenStream, optional: &mut TokenStream) {
        let (name, kind) = (&self.name, &self.kind);
        let documents = self.documents();
        match (&self.create, inside_option(kind)) {
            (None, _) => {}
            (Some(Create::AsTyped), None) => {
                required.extend(quote!(#(#documents)* #name: #kind,));
            }
            (Some(Create::AsTyped | Create::Optional), Some(_)) => {
                optional.extend(quote!(#(#documents)* #name: #kind,));
            }
            (Some(Create::Optional), None) => {
                optional.extend(quote!(#(#documents)* #name: Option<#kind>,));
            }
            (Some(Create::Default(value)), inner) => {
                let kind = inner.unwrap_or(kind);
                optional.extend(quote!(#(#documents)* #name: Option<#kind> = #value,));
            }
        }
    }

    /// Whether the tool that creates the record requires it.
    fn is_required(&self) -> bool {
        matches!(self.create, Some(Create::AsTyped)) && inside_option(&self.kind).is_none()
    }

    /// The argument of the tool that changes the record.
    fn change(&self) -> TokenStream {
        let (name, kind) = (&self.name, &self.kind);
        let documents = self.documents();
        match (&self.changed_as, inside_option(kind)) {
            _ if !self.is_changed => TokenStream::new(),
            (Some(kind), _) => quote!(#(#documents)* #name: #kind,),
            (None, Some(kind)) => {
                quote!(#(#documents)* #name: ::frontdesk_protocol::value::Patch<#kind>,)
            }
            (None, None) => {
                quote!(#(#documents)* #name: ::frontdesk_protocol::value::Change<#kind>,)
            }
        }
    }
}

impl Declared {
    pub(crate) fn expand(&self) -> TokenStream {
        let (attributes, name) = (&self.attributes, &self.name);
        let fields = self.fields.iter().map(Field::stored);
        let summary = self.summary.as_ref().map(|(attributes, name)| {
            let listed = self.fields.iter().filter(|field| !field.is_unlisted);
            let fields = listed.map(Field::stored);
            quote! {
                #(#attributes)*
                #[derive(Debug, Clone, PartialEq, ::frontdesk_protocol::wire::Wire)]
                pub struct #name { #(#fields)* }
            }
        });
        let tools = self.tools.iter().map(|tool| {
            let tool = self.tool(tool);
            tool.unwrap_or_else(|error| error.to_compile_error())
        });
        let resource = self.resource();
        quote! {
            #(#attributes)*
            #[derive(Debug, Clone, PartialEq, ::frontdesk_protocol::wire::Wire)]
            pub struct #name { #(#fields)* }

            #summary
            #(#tools)*
            #resource
        }
    }

    /// The resource of this record alone.
    fn resource(&self) -> Option<TokenStream> {
        let (name, keys) = (&self.name, self.resource.as_ref()?);
        let summary = self.summary.iter().map(|(_, name)| name);
        let forms = summary.chain(&self.forms);
        let tools = self.tools.iter().map(|tool| {
            let Tool { verb, name, id, .. } = tool;
            let id = id.as_ref().map(|id| quote!((#id)));
            quote!(#verb: #name #id,)
        });
        Some(quote! {
            crate::resource::resource! {
                #name #(, #forms)* #keys { #(#tools)* }
            }
        })
    }

    fn tool(&self, tool: &Tool) -> syn::Result<TokenStream> {
        let Some(declaration) = &tool.declaration else {
            return Ok(TokenStream::new());
        };
        let (mut required, mut optional) = (TokenStream::new(), TokenStream::new());
        let record = &self.name;
        let mut output = quote!(crate::record::One<#record>);
        let find = || {
            let id = self.fields.iter().find(|field| field.name == "id");
            id.map(|field| {
                let kind = &field.kind;
                quote!(id: #kind,)
            })
        };
        let effect = match tool.verb.to_string().as_str() {
            "create" => {
                for field in &self.fields {
                    field.create(&mut required, &mut optional);
                }
                quote!(CREATE)
            }
            "change" => {
                required.extend(find());
                let (first, then): (Vec<_>, Vec<_>) =
                    self.fields.iter().partition(|field| field.is_required());
                optional.extend(first.into_iter().chain(then).map(Field::change));
                quote!(UPDATE)
            }
            "delete" => {
                required.extend(find());
                quote!(DELETE)
            }
            "get" => {
                required.extend(find());
                output = quote!(crate::record::Maybe<#record>);
                quote!(READ)
            }
            "list" => {
                let listed = self.summary.as_ref().map_or(record, |(_, name)| name);
                output = quote!(crate::record::List<#listed>);
                quote!(READ)
            }
            _ => {
                let message =
                    "declared by `tool!`: only list, get, create, change and delete say all";
                return Err(syn::Error::new(tool.verb.span(), message));
            }
        };
        required.extend(declaration.required.clone());
        optional.extend(declaration.optional.clone());
        if tool.verb == "list" {
            optional.extend(quote! {
                limit: crate::value::Limit,
                offset: crate::value::Offset,
            });
        }
        let Declaration {
            attributes,
            called,
            host,
            audience,
            ..
        } = declaration;
        let name = &tool.name;
        Ok(quote! {
            crate::tool::tool! {
                #(#attributes)*
                #name = #called on #host, #effect, for #audience => #output {
                    req { #required }
                    opt { #optional }
                }
            }
        })
    }
}
