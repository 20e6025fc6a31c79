// A write over the return address.
//! outcome: unsupported unsupported
int main(void) {
  void **frame = __builtin_frame_address(0);
  for (int i = 0; i < 4; i++) frame[i] = (void *)0x401000;
}
