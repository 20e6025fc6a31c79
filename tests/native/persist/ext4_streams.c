//! rc20: verified executions=1 blocked=0 flags="--persistency ext4"
//! rc20: error=recovery line=@line flags="--persistency ext4 -- -DNO_FLUSH"
// stdio on files. A sync without a flush has synced nothing of what is in the buffer.
#include <assert.h>
#include <heddle/heddle.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char line[16];
  FILE *file = fopen("none", "r");
  assert(!file);
  file = fopen("log", "w");
  assert(fprintf(file, "%d:%s\n", 12, "ab") == 6 && fputs("x\n", file) >= 0 && fputc('y', file) == 'y');
  assert(fwrite("zz", 1, 2, file) == 2 && ftell(file) == 11);
#ifndef NO_FLUSH
  fflush(file);
#endif
  fsync(fileno(file));
  heddle_persisted();
  fclose(file);
  file = fopen("log", "r+");
  assert(fgets(line, sizeof line, file) && strcmp(line, "12:ab\n") == 0);
  assert(fgetc(file) == 'x' && fgetc(file) == '\n' && fread(line, 1, 8, file) == 3 && feof(file));
  assert(fseek(file, 3, SEEK_SET) == 0 && fgetc(file) == 'a' && fclose(file) == 0);
  return 0;
}

void heddle_recovery(void) {
  char line[16] = "";
  FILE *file = fopen("log", "r");
  heddle_assert(file && fgets(line, sizeof line, file) && strcmp(line, "12:ab\n") == 0);  // @line
}
