//! Setters of the method and of the space, for calls on the kernel method as a whole.

/// A bound of setters of the method inside. No type implements it: a call of such a setter is an error that says where the
/// setter belongs.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this is set on the method inside, not on `{Self}`",
    label = "write `.method(|m| m.setter(value))`, say `.method(|m| m.c(10.0))` or `.method(|m| m.penalty(0.1))`",
    note = "a kernel method is a linear method and a space: `.method(|m| …)` changes the one, `.space(|s| …)` the other"
)]
pub trait SetOnMethod {}

/// A bound of setters of the builder of the space. No type implements it either.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this is set on the space inside, not on `{Self}`",
    label = "write `.space(|s| s.setter(value))`, say `.space(|s| s.rank(Rank::Components(20)))`",
    note = "a kernel method is a linear method and a space: `.method(|m| …)` changes the one, `.space(|s| …)` the other"
)]
pub trait SetOnSpace {}

/// Adds the likeliest setters of the two halves: they exist, and cannot be called. rustc prints a message of ours for a
/// bound that does not hold, but not for a method that does not exist.
macro_rules! setters_of_halves {
    ($type:ident: method $($of_method:ident)*; space $($of_space:ident)*) => {
        impl<M, B> $type<M, B> {
            $(
                #[doc(hidden)]
                pub fn $of_method<V>(self, _: V) -> Self
                where
                    Self: $crate::kernelized::halves::SetOnMethod,
                {
                    self
                }
            )*
            $(
                #[doc(hidden)]
                pub fn $of_space<V>(self, _: V) -> Self
                where
                    Self: $crate::kernelized::halves::SetOnSpace,
                {
                    self
                }
            )*
        }
    };
    ($type:ident) => {
        $crate::kernelized::halves::setters_of_halves! {
            $type: method c nu penalty penalties epsilon balanced class_c tolerance max_iterations intercept;
            space rank axes centered indefinite
        }
    };
}
pub(super) use setters_of_halves;
