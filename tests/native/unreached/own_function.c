//! rc20: rejected text="own_function.c:12: error: queue_push is declared but not defined: add the file that defines it"
//! rc20: rejected text="error: queue_size is declared but not defined" flags="-- -DVARIABLE"
// What the program itself declares must be there, as for the linker. To accept it as pure is no advice: it is not the system's.
void queue_push(int value);
extern int queue_size;

int main(int argc, char **argv) {
#ifdef VARIABLE
  return argc > 5 ? queue_size : 0;
#else
  if (argc > 5)
    queue_push(1);
  return 0;
#endif
}
