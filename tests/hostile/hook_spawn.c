// A thread started by heddle's primitive.
//! outcome: unsupported bad-input
unsigned heddle_spawn(void *(*function)(void *), void *argument);
int main(void) { heddle_spawn((void *(*)(void *))0x401000, 0); }
