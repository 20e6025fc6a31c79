// fmt's functions as part of the executable: Debian has fmt as a shared library only, and an executable that needs no
// library but the C and C++ ones runs wherever it is copied to. Here the definitions of fmt's own header are compiled once; the
// instantiations are those that the rest of heddle refers to.
#include <fmt/format-inl.h>

namespace fmt {
inline namespace v9 {
namespace detail {

template auto dragonbox::to_decimal(float x) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double x) noexcept -> dragonbox::decimal_fp<double>;
template auto thousands_sep_impl(locale_ref loc) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref loc) -> char;
template void buffer<char>::append(const char* begin, const char* end);
template void vformat_to(buffer<char>& out, string_view format, basic_format_args<buffer_context<char>> args, locale_ref loc);

}  // namespace detail
}  // namespace v9
}  // namespace fmt
