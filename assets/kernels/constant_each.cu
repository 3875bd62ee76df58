/*
A table in constant memory whose word depends on the lane: constant memory serves one word at a time, so that a
load takes 32 broadcasts, 31 of them replays. constant_same reads one word for all lanes; a table indexed by the lane
belongs in shared or global memory.

[lanescope]
grid = 4
block = 128

[buffers]
p = "f32 i:512"
q = "f32 i:512 = zeros"
*/
__constant__ float table[32] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                                16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

__global__ void __launch_bounds__(128) constant_each(const float *p, float *q)
{
    uint i = 128 * blockIdx.x + threadIdx.x;

    float x = p[i];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w1 w0           <->  i6 i5
    //   block:     b1 b0           <->  i8 i7

    // lanescope: expect constant-replay
    q[i] = x * table[threadIdx.x % 32];
}
