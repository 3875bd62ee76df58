/*
A 32x32 transpose through shared memory. Reading a column puts all 32 lanes on one bank.

[lanescope]
block = [32, 32]

[buffers]
p = "f32 i:32 j:32"

[buffers.q]
type = "f32"
axes = "j:32 i:32"
init = "zeros"
expect = "sha256 7bcbebd0c28cb1ff6f85d3a4a72759107cc563673143fecf2687e1093de2523f"
*/
__global__ void __launch_bounds__(1024) shared_transpose_naive(const float *p, float *q)
{
    __shared__ float tile[32][32];

    float x = p[32 * threadIdx.y + threadIdx.x];

    // x has the following register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  j4 j3 j2 j1 j0
    //   warp:      w4 w3 w2 w1 w0  <->  i4 i3 i2 i1 i0

    tile[threadIdx.y][threadIdx.x] = x;
    __syncthreads();
    float y = tile[threadIdx.x][threadIdx.y];  // lanescope: expect bank-conflict

    // y has register assignment:
    //   thread:    t4 t3 t2 t1 t0  <->  i4 i3 i2 i1 i0
    //   warp:      w4 w3 w2 w1 w0  <->  j4 j3 j2 j1 j0

    q[32 * threadIdx.y + threadIdx.x] = y;
}
