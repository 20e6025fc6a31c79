// A variable of heddle's written.
//! outcome: unsupported bad-input
extern unsigned heddle_epoch;
int main(void) { heddle_epoch = 0; }
