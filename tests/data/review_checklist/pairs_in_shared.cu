/* A table of pairs, one row for every warp lane.
[lanescope]
block = 32
[buffers]
p = "f32 n:1024"
q = "f32 n:32 = zeros"
*/
__global__ void __launch_bounds__(32) row_products(const float *p, float *q)
{
    __shared__ float2 row[16 * 33];
    const int lane = threadIdx.x;
    for (int k = 0; k < 16; ++k) row[k * 33 + lane] = ((const float2 *)p)[32 * k + lane];
    __syncwarp();
    float s = 0.0f;
    for (int k = 0; k < 16; ++k) {
        const float2 f = row[(lane & 15) * 33 + k + (lane & 16)];
        s += f.x * f.y;
    }
    q[lane] = s;
}
