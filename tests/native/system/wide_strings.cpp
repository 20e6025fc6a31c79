//! rc20: verified executions=1
// Strings of wide characters.
#include <cassert>
#include <cwchar>
#include <string>
#include <string_view>

int main() {
  std::wstring text = L"wide";
  text += L" characters, more than fit into the object";
  assert(text.size() == 46 && text.find(L'c') == 5 && text.substr(5, 4) == L"char");
  text.insert(0, 2, L'x');
  assert(text.starts_with(L"xxwide") && text.compare(L"xxwidf") < 0);
  const std::wstring_view view = L"wide";
  assert(view == L"wide" && std::wcslen(view.data()) == 4 && std::wcscmp(L"a", L"b") < 0 && std::wcscmp(L"a", L"a") == 0);
  std::u16string narrow = u"ab";
  narrow.push_back(u'c');
  assert(narrow == u"abc");
}
