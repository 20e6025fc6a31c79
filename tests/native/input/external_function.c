//! rc20: rejected text="mystery" text="external_function.c:9"
//! rc20: verified executions=1 flags="-- -DDEFINED"
// A function that is nowhere: its name and the place of the call, before anything runs.
extern int mystery(int number);
#ifdef DEFINED
int mystery(int number) { return number; }
#endif
int main(void) {
  return mystery(3) == 4;
}
