// barrier-det(N): the determinant of M^4. N threads share the work by rows: each computes its rows of M^2, all meet,
// and each computes its rows of M^4 = M^2 * M^2 (M. Kokologiannakis' thesis, table 10.10). 1 execution, 0 blocked.
#include <assert.h>

#include "../native/threads.h"

#ifndef N
#define N 3
#endif
#define SIZE 6

static pthread_barrier_t barrier;
static long matrix[SIZE][SIZE], square[SIZE][SIZE], fourth[SIZE][SIZE];

static void multiply_rows(int first, long a[SIZE][SIZE], long b[SIZE][SIZE], long result[SIZE][SIZE]) {
  for (int row = first; row < SIZE; row += N) {
    for (int column = 0; column < SIZE; column++) {
      long sum = 0;
      for (int k = 0; k < SIZE; k++) sum += a[row][k] * b[k][column];
      result[row][column] = sum;
    }
  }
}

static void *power(void *argument) {
  int self = (int)(intptr_t)argument;
  multiply_rows(self, matrix, matrix, square);
  pthread_barrier_wait(&barrier);
  multiply_rows(self, square, square, fourth);
  return 0;
}

// Without fractions: E. H. Bareiss' elimination, in which every division is exact.
static long determinant(long m[SIZE][SIZE]) {
  long previous = 1;
  for (int k = 0; k < SIZE - 1; k++) {
    for (int i = k + 1; i < SIZE; i++) {
      for (int j = k + 1; j < SIZE; j++) m[i][j] = (m[i][j] * m[k][k] - m[i][k] * m[k][j]) / previous;
    }
    previous = m[k][k];
  }
  return m[SIZE - 1][SIZE - 1];
}

int main(void) {
  // Upper triangular, with determinant 2.
  for (int i = 0; i < SIZE; i++) {
    for (int j = i; j < SIZE; j++) matrix[i][j] = i == j ? 1 : (i + j) % 3;
  }
  matrix[0][0] = 2;
  pthread_barrier_init(&barrier, 0, N);
  pthread_t threads[N];
  for (int i = 0; i < N; i++) threads[i] = start(power, i);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  long result = determinant(fourth);
  assert(result == 16);
  return 0;
}
