//! rc20: verified executions=1
//! rc20: error=data-race line=@error flags="-- -DSHARED"
//! rc20: error=out-of-bounds line=@error-2 flags="-- -DSHORT"
// Functions of the C library whose results can be compared with what they are on the machine: the assertions also hold natively. SHARED:
// functions with a result of their own have one for all threads. SHORT: a text that does not fit.
#define _GNU_SOURCE
#include <assert.h>
#include <complex.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void numbers(void) {
  static const double operands[][2] = {{7.5, 2}, {-7.5, 2}, {5, 2}, {7, 2}, {100, 3}, {-100, -3}, {0.1, 0.3}, {1e300, 7}, {3, INFINITY}};
  static const int quotients[] = {4, -4, 2, 4, 1, 1, 0, 2, 0};
  for (int i = 0; i < 9; i++) {
    int quotient;
    const double rest = remquo(operands[i][0], operands[i][1], &quotient);
    assert(rest == remainder(operands[i][0], operands[i][1]));
    if (i != 7) assert(quotient == quotients[i]);
  }
  int quotient;
  assert(remquof(7.5f, 2, &quotient) == -0.5f && quotient == 4);
  assert(remquol(7.5L, 2, &quotient) == -0.5L && quotient == 4);
  assert(isnan(remquo(1, 0, &quotient)));
  int sign;
  assert(lgamma_r(5, &sign) > 3.178 && sign == 1);
  assert(lgamma_r(-0.5, &sign) > 1.26 && sign == -1);
  assert(lgamma_r(-1.5, &sign) > 0.86 && sign == 1);
  assert(lgammaf_r(-2.5f, &sign) < 0 && sign == -1);
  assert(isnan(nan("")) && isnan(nanf("12")));
  assert(cabs(3 + 4 * I) == 5 && creal((1 + I) * (1 - I)) == 2);
  char *end;
  assert(strtold("1.5x", &end) == 1.5L && *end == 'x');
  assert(imaxabs(-3) == 3 && imaxdiv(7, 2).rem == 1 && strtoimax("-12", 0, 10) == -12);
}

static void texts(void) {
  char line[] = "a,b;;c";
  char *rest = line;
  assert(strcmp(strsep(&rest, ",;"), "a") == 0 && strcmp(strsep(&rest, ",;"), "b") == 0);
  assert(*strsep(&rest, ",;") == 0 && strcmp(strsep(&rest, ",;"), "c") == 0 && !rest && !strsep(&rest, ","));
  const char *text = "abcabd";
  assert(memmem(text, 6, "abd", 3) == text + 3 && !memmem(text, 5, "abd", 3) && memmem(text, 6, "", 0) == text);
  char buffer[16];
  assert(strxfrm(buffer, "xyz", sizeof buffer) == 3 && strcmp(buffer, "xyz") == 0);
  assert(strcmp(strerror_r(EINVAL, buffer, sizeof buffer), "Invalid argument") == 0);
  int numbers[] = {5, 3, 9, 0};
  size_t count = 3;
  const int three = 3, four = 4;
  assert(lfind(&three, numbers, &count, sizeof(int), compare) == numbers + 1);
  assert(lsearch(&four, numbers, &count, sizeof(int), compare) == numbers + 3 && count == 4 && numbers[3] == 4);
  wchar_t wide[8];
  assert(wcslen(wcscat(wcscpy(wide, L"ab"), L"cd")) == 4 && wcschr(wide, L'c') == wide + 2 && wcsstr(wide, L"bc") == wide + 1);
  assert(wcsncmp(wide, L"abx", 2) == 0 && iswalpha(L'a') && !iswdigit(L'a') && towupper(L'a') == L'A' && wcsrchr(wide, L'x') == 0);
}

static void dates(void) {
  static const struct {
    time_t time;
    const char *text;
  } known[] = {{0, "1970-01-01 00:00:00 Thu 001"},
               {951782400, "2000-02-29 00:00:00 Tue 060"},
               {1700000000, "2023-11-14 22:13:20 Tue 318"},
               {-1, "1969-12-31 23:59:59 Wed 365"},
               {4107542400, "2100-03-01 00:00:00 Mon 060"}};
  for (int i = 0; i < 5; i++) {
    struct tm date;
    char text[64];
    assert(gmtime_r(&known[i].time, &date) == &date);
    assert(strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %j", &date) == strlen(known[i].text));
    assert(strcmp(text, known[i].text) == 0);
    assert(timegm(&date) == known[i].time);
  }
  struct tm late = {.tm_year = 123, .tm_mon = 13, .tm_mday = 30};  // the thirtieth of February
  assert(timegm(&late) == 1709251200 && late.tm_mon == 2 && late.tm_mday == 1 && late.tm_year == 124);
  char text[32];
  const time_t zero = 0;
  assert(strcmp(asctime_r(gmtime_r(&zero, &late), text), "Thu Jan  1 00:00:00 1970\n") == 0);
  char all[64];
  assert(strftime(all, sizeof all, "%F %T|%D|%R|%e|%y%%", &late) == 41);
  assert(strcmp(all, "1970-01-01 00:00:00|01/01/70|00:00| 1|70%") == 0);
  assert(strftime(text, 4, "%Y", &late) == 0 && difftime(5, 3) == 2);
#ifdef SHORT
  char few[4];
  asctime_r(&late, few);  // @error-2
#endif
}

static void attributes(void) {
  pthread_attr_t own;
  size_t size = 0;
  assert(pthread_attr_init(&own) == 0 && pthread_attr_setstacksize(&own, 1 << 20) == 0);
  assert(pthread_attr_getstacksize(&own, &size) == 0 && size == 1 << 20);
  assert(pthread_attr_setstacksize(&own, 100) == EINVAL);
}

static void *today(void *unused) {
  const time_t zero = 0;
  gmtime(&zero);  // @error
  return unused;
}

int main(void) {
  numbers();
  texts();
  dates();
  attributes();
#ifdef SHARED
  pthread_t thread;
  pthread_create(&thread, 0, today, 0);
  today(0);
  pthread_join(thread, 0);
#else
  today(0);
#endif
  return 0;
}
