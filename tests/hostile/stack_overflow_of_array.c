// Writes behind a local array up to the return address.
//! outcome: error out-of-bounds
int main(void) {
  volatile long array[2];
  for (int i = 0; i < 64; i++) array[i] = 0x401000;
  return (int)array[0];
}
