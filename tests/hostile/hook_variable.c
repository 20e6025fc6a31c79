// A variable of heddle's written.
extern unsigned heddle_epoch;
int main(void) { heddle_epoch = 0; }
