//! rc20: verified executions=1
//! rc20: error=data-race line=@error flags="-- -DRACE"
// Options of the command line: short and long ones, with and without arguments, among words that are none.
#define _GNU_SOURCE
#include <assert.h>
#include <getopt.h>
#include <pthread.h>
#include <string.h>

static void *parse(void *unused) {
  char *words[] = {"program", "-v", NULL};
  getopt(2, words, "v");  // @error
  return NULL;
}

static void start(void) { optind = 0; }

int main(void) {
  char *words[] = {"program", "first", "-ab", "second", "-nfive", "-n", "six", "--", "-z", NULL};
  int seen[8], count = 0;
  const char *last = "";
  for (int c; (c = getopt(9, words, "abn:")) != -1;) {
    seen[count++] = c;
    if (c == 'n') assert(strcmp(optarg, count == 3 ? "five" : "six") == 0);
  }
  assert(count == 4 && seen[0] == 'a' && seen[1] == 'b' && seen[2] == 'n' && seen[3] == 'n');
  assert(optind == 6 && strcmp(words[6], "first") == 0 && strcmp(words[7], "second") == 0 && strcmp(words[8], "-z") == 0);

  start();
  char *stop[] = {"program", "-a", "word", "-b", NULL};
  assert(getopt(4, stop, "+ab") == 'a' && getopt(4, stop, "+ab") == -1 && optind == 2);

  start();
  char *wrong[] = {"program", "-x", "-n", NULL};
  assert(getopt(3, wrong, ":n:") == '?' && optopt == 'x');
  assert(getopt(3, wrong, ":n:") == ':' && optopt == 'n');
  assert(getopt(3, wrong, ":n:") == -1);

  start();
  int flag = 0, index = -1;
  const struct option all[] = {
      {"level", required_argument, NULL, 'l'}, {"quick", no_argument, &flag, 7}, {"maybe", optional_argument, NULL, 'm'}, {0}};
  char *longer[] = {"program", "--level=3", "--lev", "4", "--quick", "--maybe", "--none", "--quick=1", NULL};
  assert(getopt_long(8, longer, "", all, &index) == 'l' && index == 0 && strcmp(optarg, "3") == 0);
  assert(getopt_long(8, longer, "", all, &index) == 'l' && strcmp(optarg, "4") == 0);
  assert(getopt_long(8, longer, "", all, &index) == 0 && flag == 7 && index == 1);
  assert(getopt_long(8, longer, "", all, &index) == 'm' && optarg == NULL);
  opterr = 0;
  assert(getopt_long(8, longer, "", all, &index) == '?' && getopt_long(8, longer, "", all, &index) == '?');
  assert(getopt_long(8, longer, "", all, &index) == -1 && optind == 8);
  start();
  char *only[] = {"program", "-level", "5", NULL};
  assert(getopt_long_only(3, only, "q", all, NULL) == 'l' && strcmp(optarg, "5") == 0);

  start();
  (void)last;
  pthread_t thread;
  pthread_create(&thread, NULL, parse, NULL);
#ifdef RACE
  parse(NULL);
#endif
  pthread_join(thread, NULL);
  return 0;
}
