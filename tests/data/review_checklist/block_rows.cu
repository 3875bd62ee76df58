/* Blocks in two directions, each of one warp.
[lanescope]
grid = [4, 2]
block = 32
[buffers]
p = "f32 z:2 y:4 x:32"
q = "f32 z:2 y:4 x:32 = zeros"
*/
__global__ void __launch_bounds__(32) halve(const float *p, float *q)
{
    const unsigned block = blockIdx.x + gridDim.x * blockIdx.y;
    const float x = p[32 * block + threadIdx.x];
    // x:
    //   thread:  t4 t3 t2 t1 t0  <->  x4 x3 x2 x1 x0
    //   block:   b2 b1 b0        <->  z0 y1 y0
    q[32 * block + threadIdx.x] = 0.5f * x;
}
