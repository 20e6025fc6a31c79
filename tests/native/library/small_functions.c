//! rc20: verified executions=1 text="uname gave one fixed answer" text="getrandom gave one fixed sequence"
//! rc20: error=unsupported line=@prctl text="prctl is not modelled but for PR_SET_NAME" flags="-- -DPRCTL"
// Functions of the system that programs call in passing.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#include <error.h>
#include <execinfo.h>
#include <fenv.h>
#include <malloc.h>
#include <math.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <syslog.h>
#include <unistd.h>
#include <wchar.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int visits;
static void visit(const void *node, VISIT order, int depth) {
  if (order == postorder || order == leaf) assert(**(const int *const *)node == ++visits && depth >= 0);
}
static void keep(void *key) { (void)key; }

static void trees(void) {
  static int numbers[] = {4, 2, 6, 1, 3, 5, 7, 8};
  void *root = NULL;
  for (int i = 0; i < 8; ++i) assert(**(int **)tsearch(&numbers[i], &root, compare) == numbers[i]);
  twalk(root, visit);
  assert(visits == 8);
  int key = 2;
  assert(tfind(&key, &root, compare) && tdelete(&key, &root, compare) && !tfind(&key, &root, compare));
  key = 4;
  assert(tdelete(&key, &root, compare) && !tdelete(&key, &root, compare));
  key = 5;
  assert(tfind(&key, &root, compare));
  tdestroy(root, keep);
}

struct Element {
  struct Element *next, *previous;
};

static void queues(void) {
  struct Element a, b, c;
  insque(&a, NULL);
  insque(&c, &a);
  insque(&b, &a);
  assert(a.next == &b && b.next == &c && c.previous == &b && !c.next);
  remque(&b);
  assert(a.next == &c && c.previous == &a);
}

static void wide(void) {
  wchar_t to[8];
  char back[8];
  assert(mbstowcs(to, "abc", 8) == 3 && to[2] == L'c' && wcstombs(back, to, 8) == 3 && strcmp(back, "abc") == 0);
  assert(mbstowcs(NULL, "\xc3", 0) == (size_t)-1 && errno == EILSEQ);
  wchar_t *end;
  assert(wcstol(L"42x", &end, 10) == 42 && *end == L'x' && wcstod(L"2.5", NULL) == 2.5);
  assert(swprintf(to, 8, L"%d-%s", 7, "x") == 3 && wcscmp(to, L"7-x") == 0 && swprintf(to, 2, L"%d", 100) == -1);
  assert(btowc('a') == L'a' && wctob(L'b') == 'b' && btowc(EOF) == WEOF);
}

static void strings(void) {
  char to[8] = "zzzzzzz";
  assert(strcmp(strcasestr("one TWO", "two"), "TWO") == 0 && !strcasestr("one", "x"));
  assert(stpncpy(to, "ab", 4) == to + 2 && to[3] == 0 && to[4] == 'z');
  assert(memccpy(to, "a:b", ':', 3) == to + 2 && !memccpy(to, "abc", ':', 3));
  assert(rawmemchr("abc", 'c') && strcmp(basename("/a/b"), "b") == 0);
  assert(htonl(0x01020304) == 0x04030201 && ntohs(htons(7)) == 7);
}

static void numbers(void) {
  errno = 0;
  assert(isinf(strtod("inf", NULL)) && strtod("0", NULL) == 0 && errno == 0);
  assert(isinf(strtod("1e999", NULL)) && errno == ERANGE);
  errno = 0;
  assert(strtod("1e-999", NULL) == 0 && errno == ERANGE);
  assert(strtof("0.1", NULL) == 0.1f);
}

int main(void) {
  trees();
  queues();
  wide();
  strings();
  numbers();
  struct utsname names;
  assert(uname(&names) == 0 && strcmp(names.sysname, "Linux") == 0);
  struct rlimit limit;
  assert(getrlimit(RLIMIT_STACK, &limit) == 0 && setrlimit(RLIMIT_STACK, &limit) == 0);
  unsigned char random[4];
  assert(getrandom(random, sizeof random, 0) == 4 && random[3] <= 255);
  char folder[8];
  assert(getcwd(folder, sizeof folder) && folder[0] == '/');
  assert(prctl(PR_SET_NAME, "worker") == 0 && mallopt(M_ARENA_MAX, 1) == 1 && mlockall(MCL_CURRENT) == 0);
  assert(fegetround() == FE_TONEAREST);
  void *frames[4];
  backtrace_symbols_fd(frames, backtrace(frames, 4), 2);
  Dl_info where;
  assert(dladdr(frames, &where) == 0);
  openlog("program", 0, LOG_USER);
  syslog(LOG_INFO, "%d of %s", 1, "two");
  closelog();
  errno = ENOENT;
  warn("cannot open %s", "it");
  warnx("that is all");
  error(0, 0, "no code");
  fputs_unlocked("text\n", stderr);
#ifdef PRCTL
  prctl(PR_GET_DUMPABLE);  // @prctl
#endif
  errx(0, "the end");
}
