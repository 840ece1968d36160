#include <string>

extern "C" bool made_by_clang() {
#ifdef __clang__
  return std::string("clang").size() == 5;
#else
  return false;
#endif
}
