;! rc20: verified executions=2 blocked=0
; LLVM's own language: a store in a thread, and a load in main.

@x = global i32 0
@thread = global i64 0

define ptr @worker(ptr %unused) {
  store atomic i32 1, ptr @x release, align 4
  ret ptr null
}

declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)

define i32 @main() {
  %created = call i32 @pthread_create(ptr @thread, ptr null, ptr @worker, ptr null)
  %seen = load atomic i32, ptr @x acquire, align 4
  %id = load i64, ptr @thread, align 8
  %joined = call i32 @pthread_join(i64 %id, ptr null)
  ret i32 0
}
