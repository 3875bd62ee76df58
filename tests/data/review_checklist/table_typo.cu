/* Two warps, two registers.
[lanescope]
block = 64
[buffers]
p = "f32 a:2 b:2 c:32"
q = "f32 a:2 b:2 c:32 = zeros"
*/
__global__ void __launch_bounds__(64) keep(const float *p, float *q)
{
    const unsigned at = 64 * (threadIdx.x / 32) + threadIdx.x % 32;
    float v[2] = {p[at], p[at + 32]};
    // v:
    //   register:  b0
    //   thread:    c4 c3 c2 c1 c0
    //   warp:      a0
    q[at] = v[0];
    q[at + 32] = v[1];
}
