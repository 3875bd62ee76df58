/* Register bit against lane bit 3.
[lanescope]
block = 32
[buffers]
g = "f32 u:2 v:32"
h = "f32 u:2 v:32 = zeros"
*/
__global__ void __launch_bounds__(32) swap_bit(const float *g, float *h)
{
    const int lane = threadIdx.x;
    float z0 = g[lane], z1 = g[lane + 32];
    // z:
    //   register:  u0
    //   thread:    v4 v3 v2 v1 v0
    const bool high = lane & 8;
    float sent = high ? z0 : z1;
    sent = __shfl_xor_sync(0xffffffffu, sent, 8);
    z0 = high ? sent : z0;
    z1 = high ? z1 : sent;
    // Now z:
    //   register:  v3
    //   thread:    v4 u0 v2 v1 v0
    h[lane] = z0;
    h[lane + 32] = z1;
}
