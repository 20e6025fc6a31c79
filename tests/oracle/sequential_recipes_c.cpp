// Recipes in C that are C++ as well: the C library, control flow, and ways to access memory. See sequential_recipes.h.
#include "sequential_recipes.h"

namespace heddle::oracle {

const std::vector<std::string>& cRecipes() {
  static const std::vector<std::string> all = {
      // Strings.
      R"(
---
char @a[64];
char @b[64];
memset(@a, 0, sizeof @a);
memset(@b, 0, sizeof @b);
strcpy(@b, $s);
~ snprintf(@a, sizeof @a, "%d/%u", (int)$e, $e);
~ snprintf(@a, [?1 + $k|64?], "%s-%x", @b, $e);
~ strcpy(@a, $s);
~ strncpy(@a, $s, sizeof @a - 1);
~ if (strlen(@a) < 20) strcat(@a, $s);
~ memmove(@a + $n, @a, 20);
~ memmove(@a, @a + $n, 20);
~ memmove(@a + $k, @a + $k, 30);
~ memcpy(@b, @a, sizeof @b);
~ memset(@a + $k, 'a' + $k, $k);
~ MIX(strlen(@a));
~ MIX(strcmp(@a, @b) < 0);
~ MIX(strncmp(@a, @b, $k) == 0);
~ MIX(memcmp(@a, @b, 20) > 0);
~ MIX(strchr(@a, 'a' + $k) != 0);
~ MIX(strstr(@b, "e") == 0);
~ MIX(strspn(@a, "abcdefgh"));
~ MIX(strcspn(@a, "0123"));
~ MIX(strtoul(@a, 0, 10));
~ MIX(memchr(@a, '/', 30) != 0);
for (int i = 0; i < 63; i++) MIX(@a[i]);
@b[63] = 0;
MIX(strlen(@b));
)",
      R"(
---
char @a[48];
snprintf(@a, sizeof @a, "%u,%u;;%u ,%s", $e, $e, $e, $s);
char* @rest = 0;
for (char* t = strtok_r(@a, [?",;"|", ;"|","?], &@rest); t != 0; t = strtok_r(0, ",;", &@rest)) {
  MIX(strlen(t));
  MIX(t[0]);
  ? MIX(strtol(t, 0, 10));
}
? for (char* t = strtok(@a, "0"); t != 0; t = strtok(0, "01")) MIX(strlen(t));
)",
      R"(
---
char @a[80];
memset(@a, 0, sizeof @a);
~ MIX(snprintf(@a, sizeof @a, "%5d|%-6u|%08x", (int)($e % 5000), $e, $e));
~ MIX(snprintf(@a, sizeof @a, "%.3f %g", (double)($e % 999) / 8, (double)($e % 77) * 0.25));
~ MIX(snprintf(@a, $k + 1, "%s", $s));
~ MIX(snprintf(@a, sizeof @a, "%c%%%*d", 'a' + $k, $k, $k));
~ MIX(snprintf(@a, sizeof @a, "%ld %lx %hhu", (long)$e, (unsigned long)$e, $e & 255u));
~ MIX(sprintf(@a, "%.*s", $k, $s));
~ MIX(snprintf(0, 0, "%s %d", $s, $k));
if (@a[0] != 'q') strcpy(@a, "q");
MIX(strlen(@a));
)",
      R"(
---
char* @s = strdup($s);
MIX(strlen(@s));
for (char* c = @s; *c != 0; c++) *c = (char)[?toupper|tolower?](*c);
for (char* c = @s; *c != 0; c++) MIX(isalpha(*c) != 0);
? @s = (char*)realloc(@s, 100);
MIX(strlen(@s));
free(@s);
)",
      // Numbers.
      R"(
---
double @d = (double)($e % 1000) / 4;
float @f = (float)($e % 500) / 2;
long double @l = (long double)($e % 100) * 1.5L;
~ @d = @d * 0.5 + $k;
~ @f = @f - (float)@d;
~ @l = @l * 1.25L + @d;
~ @d = sqrt(fabs(@d)) > 3 ? floor(@d) : @d + 1;
~ if (@l > 100000) @l = @l / 65536;
~ MIX((long)@d);
~ MIX((long)(@f * 4));
~ MIX(@l < @d);
~ @d = (double)@l;
MIX((long)(@d * 16));
MIX((long)@l);
)",
      R"(
---
unsigned __int128 @w = (unsigned __int128)$e << 40;
~ @w = @w * 31 + $e;
~ @w ^= (unsigned __int128)$e << 64;
~ @w >>= $k;
~ if (@w > 5) @w -= $e;
MIX((unsigned long)@w);
MIX((unsigned long)(@w >> 64));
)",
      R"(
typedef int @v4 __attribute__((vector_size(16)));
typedef double @v2 __attribute__((vector_size(16)));
static @v4 @add(@v4 a, @v4 b) {
  return a * 2 + b;
}
---
@v4 @a = {$k, $k, $k, $k};
@v4 @b = {(int)($e % 100), $k, 1, 2};
@v2 @d = {0.5 * $k, 1.25};
~ @a = @add(@a % 1000, @b % 1000);
~ @b[$k % 4] = $k;
~ @d = @d * 0.5 + (double)@a[1];
~ @a = @a ^ @b;
~ MIX(@a[$k % 4]);
@v4 @c[2] = {@a, @b};
memmove(&@c[0], &@c[1], sizeof @c[0]);
for (int i = 0; i < 4; i++) MIX(@c[0][i] ^ @a[i] ^ @b[i]);
MIX((long)(@d[0] * 4));
)",
      // Control flow.
      R"(
static unsigned @fib(unsigned n) {
  return n < 2 ? n : @fib(n - 1) + @fib(n - 2);
}
static unsigned @ack(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  if (n == 0) return @ack(m - 1, 1);
  return @ack(m - 1, @ack(m, n - 1));
}
---
? MIX(@fib($e % 10u));
? MIX(@ack($e % 3u, $e % 4u));
MIX(@fib($k));
)",
      R"(
---
unsigned @i = 0;
@again: $x = $x * 3 + @i;
switch ($x % 5u) {
  case 0: MIX(1);
  case 1: MIX($e); break;
  case 2: $x += $k; break;
  case 3: goto @out;
  default: MIX(@i);
}
if (++@i < $n) goto @again;
@out: MIX(@i);
)",
      R"(
static unsigned @twice(unsigned v) {
  return v * 2 + $k;
}
static unsigned @half(unsigned v) {
  return v / 2 ^ $k;
}
---
unsigned (*@table[3])(unsigned) = {@twice, @half, @twice};
for (unsigned i = 0; i < 3 + $n; i++) $x = @table[($x + i) % 3]($x);
MIX($x);
)",
      R"(
---
unsigned @n = $e % 7u + 1;
unsigned @vla[8];
unsigned* @b = (unsigned*)__builtin_alloca(@n * sizeof *@b);
for (unsigned i = 0; i < @n; i++) @b[i] = $e + i;
memset(@vla, 0, sizeof @vla);
memcpy(@vla, @b, @n * sizeof *@b);
for (unsigned i = 0; i < 8; i++) MIX(@vla[i]);
)",
      R"(
static unsigned long @sum(int count, ...) {
  va_list list, again;
  va_start(list, count);
  va_copy(again, list);
  unsigned long h = 0;
  for (int i = 0; i < count; i++) MIX(va_arg(list, unsigned));
  for (int i = 0; i < count; i++) MIX(va_arg(again, unsigned));
  va_end(again);
  va_end(list);
  return h;
}
static int @print(char* to, size_t size, const char* format, ...) {
  va_list list;
  va_start(list, format);
  int length = vsnprintf(to, size, format, list);
  va_end(list);
  return length;
}
---
MIX(@sum(3, $e, $e, $e));
? MIX(@sum(9, $e, 1u, 2u, $e, 4u, 5u, $e, 7u, $e));
char @t[40];
MIX(@print(@t, sizeof @t, "%u %s %d", $e, "z", $k));
for (char* c = @t; *c != 0; c++) MIX(*c);
)",
      // Sorting.
      R"(
static int @less(const void* a, const void* b) {
  unsigned x = *(const unsigned*)a, y = *(const unsigned*)b;
  return x < y ? -1 : x > y;
}
---
unsigned @a[9] = {$e, $e, $e, $k, $k, $e, 7, $e, $k};
qsort(@a, 3 + $n, sizeof *@a, @less);
for (int i = 0; i < 9; i++) MIX(@a[i]);
qsort(@a, 9, sizeof *@a, @less);
unsigned @key = [?$k|7u?];
unsigned* @found = (unsigned*)bsearch(&@key, @a, 9, sizeof *@a, @less);
MIX(@found != 0 ? *@found : 99u);
)",
      R"(
struct @R {
  unsigned char c;
  unsigned long key;
  unsigned tail[3];
};
static int @order(const void* a, const void* b) {
  const struct @R* x = (const struct @R*)a;
  const struct @R* y = (const struct @R*)b;
  return x->key < y->key ? -1 : x->key > y->key;
}
---
struct @R @a[6];
memset(@a, 0, sizeof @a);
for (unsigned i = 0; i < 6; i++) {
  @a[i].c = (unsigned char)(i + $k);
  @a[i].key = ($e * (i + 1)) % 13 * 8 + i;
  @a[i].tail[i % 3] = $e;
}
qsort(@a, 6, sizeof *@a, @order);
for (unsigned i = 0; i < 6; i++) MIX(@a[i].key ^ @a[i].c ^ @a[i].tail[0] ^ @a[i].tail[2]);
)",
      // Memory.
      R"(
struct @F {
  unsigned count;
  [?unsigned char|unsigned|unsigned long?] tail[];
};
---
struct @F* @f = (struct @F*)calloc(1, sizeof *@f + 8 * sizeof *@f->tail);
@f->count = 8;
for (unsigned i = 0; i < @f->count; i++) @f->tail[i] = (unsigned char)($e + i);
struct @F* @g = (struct @F*)malloc(sizeof *@g + 8 * sizeof *@g->tail);
memcpy(@g, @f, sizeof *@f + 8 * sizeof *@f->tail);
? memmove(@g->tail + 1, @g->tail, 6 * sizeof *@g->tail);
? memmove(@g->tail, @g->tail + 2, 6 * sizeof *@g->tail);
? @g = (struct @F*)realloc(@g, sizeof *@g + 20 * sizeof *@g->tail);
for (unsigned i = 0; i < 8; i++) MIX(@g->tail[i]);
MIX(@g->count);
free(@g);
free(@f);
)",
      R"(
struct @N {
  unsigned value;
  struct @N* next;
};
---
struct @N* @head = 0;
for (unsigned i = 0; i < 2 + $n; i++) {
  struct @N* n = (struct @N*)malloc(sizeof *n);
  n->value = $e + i;
  n->next = @head;
  @head = n;
}
? for (struct @N* n = @head; n != 0 && n->next != 0; n = n->next) {
  unsigned t = n->value;
  n->value = n->next->value;
  n->next->value = t + 1;
}
while (@head != 0) {
  struct @N* n = @head;
  MIX(n->value);
  @head = n->next;
  free(n);
}
)",
      R"(
static unsigned @g[6] = {$k, $k, $k, $k, $k, $k};
static const unsigned @c[3] = {$k, $k, $k};
static __thread unsigned @t = $k;
static unsigned @next(void) {
  static unsigned n = $k;
  return n = n * 5 + @t++;
}
---
~ @g[$k % 6] = $e;
~ @g[$k % 6] += @c[$k % 3];
~ MIX(@next());
~ @t += $e;
~ memmove(@g + 1, @g, 5 * sizeof *@g);
~ memmove(@g, @g + $n, 2 * sizeof *@g);
for (int i = 0; i < 6; i++) MIX(@g[i]);
)",
      R"(
---
unsigned @m[3][4];
for (unsigned i = 0; i < 12; i++) @m[i / 4][i % 4] = $e * i;
for (unsigned i = 0; i < 3; i++) {
  for (unsigned j = 0; j < 4; j++) MIX(@m[i][(j + i) % 4] + @m[2 - i][j]);
}
? memcpy(@m[0], @m[2], sizeof @m[0]);
MIX(@m[0][$k % 4]);
)",
      // Atomics of the compiler, on plain variables.
      R"(
static unsigned @word = $k;
static unsigned char @byte;
static unsigned long @long;
static bool @flag;
---
~ MIX(__atomic_fetch_add(&@word, $e, [?__ATOMIC_RELAXED|__ATOMIC_SEQ_CST|__ATOMIC_ACQ_REL?]));
~ MIX(__atomic_exchange_n(&@byte, (unsigned char)$e, __ATOMIC_ACQUIRE));
~ __atomic_store_n(&@long, $e, [?__ATOMIC_RELEASE|__ATOMIC_SEQ_CST?]);
~ MIX(__atomic_sub_fetch(&@long, $e, __ATOMIC_RELAXED));
~ MIX(__atomic_load_n(&@word, __ATOMIC_ACQUIRE));
~ @word = $e;
~ MIX(@long + @byte);
~ @byte++;
~ MIX(__sync_bool_compare_and_swap(&@word, [?@word|$k?], $e));
~ MIX(__atomic_fetch_nand(&@word, $e, __ATOMIC_RELAXED));
~ MIX(__atomic_test_and_set(&@flag, __ATOMIC_SEQ_CST));
~ __atomic_thread_fence(__ATOMIC_SEQ_CST);
MIX(@word ^ @long ^ @byte);
)",
      R"(
static unsigned @cells[4] __attribute__((aligned(16)));
---
~ __atomic_store_n(&@cells[$k % 4], $e, __ATOMIC_RELAXED);
~ memmove(&@cells[1], &@cells[0], 3 * sizeof *@cells);
~ memmove(&@cells[0], &@cells[1], 2 * sizeof *@cells);
~ memcpy(&@cells[2], &@cells[0], 2 * sizeof *@cells);
~ memset(&@cells[$k % 3], $k, sizeof *@cells);
~ @cells[$k % 4] = $e;
~ MIX(__atomic_fetch_xor(&@cells[$k % 4], $e, __ATOMIC_SEQ_CST));
for (int i = 0; i < 4; i++) MIX(@cells[i]);
unsigned @copy[4];
memcpy(@copy, @cells, sizeof @copy);
for (int i = 0; i < 4; i++) MIX(__atomic_load_n(&@copy[i], __ATOMIC_RELAXED));
)",
      R"(
struct @P {
  unsigned long a, b;
} __attribute__((aligned(16)));
static struct @P @pair;
---
struct @P @o = {$e, $e};
~ __atomic_store(&@pair, &@o, __ATOMIC_SEQ_CST);
~ __atomic_load(&@pair, &@o, __ATOMIC_ACQUIRE);
~ @o.a += $e;
~ { struct @P w = {$e, $k}; MIX(__atomic_compare_exchange(&@pair, &@o, &w, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)); }
~ { struct @P c = @pair; MIX(c.a ^ c.b); }
~ @pair = @o;
MIX(@o.a);
MIX(@o.b);
MIX(@pair.a);
MIX(@pair.b);
)",
      R"(
union @U {
  unsigned word[2];
  unsigned long all;
  unsigned char bytes[8];
};
static union @U @u;
---
~ @u.all = $e;
~ @u.word[$k % 2] = $e;
~ @u.bytes[$k % 8] = (unsigned char)$e;
~ MIX(@u.all);
~ MIX(@u.bytes[$k % 8]);
~ MIX(@u.word[1]);
~ { union @U v = @u; v.bytes[$k % 8]++; @u = v; }
~ __atomic_fetch_add(&@u.all, $e, __ATOMIC_RELAXED);
MIX(@u.all);
)",
      R"(
static volatile unsigned @v = $k;
---
for (unsigned i = 0; i < $n; i++) @v = @v * 3 + i;
MIX(@v);
unsigned @o = 0;
MIX(__builtin_add_overflow($e, $e, &@o));
MIX(@o);
MIX(__builtin_popcount($e));
MIX(__builtin_bswap32($e));
MIX(__builtin_clz($e | 1u));
)",
      // Jumps out of functions. What changes after setjmp and is read after longjmp is volatile.
      R"(
static jmp_buf @out;
static unsigned @walk(unsigned depth, unsigned v, unsigned* from) {
  unsigned local[4] = {v, depth, $k, $k};
  unsigned* volatile pointer = &local[depth % 4];
  const double scaled = v % 1000u / 4.0;
  ? *pointer += 3;
  ? v += (unsigned)(scaled * depth);
  if (depth == 0) longjmp(@out, (int)(local[v % 4] % 7));
  *from += local[depth % 4];
  const unsigned below = @walk(depth - 1, v * 3 + local[1], local);
  return below + local[0] + *from;
}
static unsigned @try(unsigned v) {
  volatile unsigned rounds = 0;
  unsigned sum[2] = {v, $k};
  const double kept = v / 3.0;
  const int code = [?setjmp(@out)|_setjmp(@out)?];
  if (rounds < $n) {
    rounds = rounds + 1;
    return @walk($n, v + rounds, sum);
  }
  ? sum[0] += (unsigned)kept;
  return sum[0] * 8 + sum[1] * 64 + (unsigned)code + rounds;
}
---
MIX(@try($e));
? $x = @try($x + $k);
)",
      R"(
static jmp_buf @found;
static unsigned @seen;
static int @compare(const void* a, const void* b) {
  const unsigned left = *(const unsigned*)a, right = *(const unsigned*)b;
  if (++@seen == [?$n|100?]) longjmp(@found, $n);
  return left < right ? -1 : left > right;
}
static unsigned @sort(unsigned v) {
  sigjmp_buf again;
  unsigned numbers[6] = {v, v * 5 + 1, v / 3, $k, v ^ 21u, v + 7};
  volatile int times = 0;
  const int code = setjmp(@found);
  if (code == 0) qsort(numbers, 6, sizeof numbers[0], @compare);
  ? if (sigsetjmp(again, $k % 2) < $n) siglongjmp(again, times = times + 1);
  unsigned sum = (unsigned)code;
  if (code == 0) for (int i = 0; i < 6; i++) sum = sum * 31 + numbers[i];
  return sum + (unsigned)times;
}
---
MIX(@sort($e));
? MIX(@sort($e));
)",
  };
  return all;
}

}  // namespace heddle::oracle
