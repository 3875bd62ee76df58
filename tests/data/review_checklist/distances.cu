/* Forces between bodies, all pairs, through shared memory.
[lanescope]
grid = 2
block = 64
[buffers]
pos = "f32 n:128 c:4 = random 3"
acc = "f32 n:128 c:4 = zeros"
*/
__global__ void __launch_bounds__(64) gravity(const float4 *pos, float4 *acc)
{
    __shared__ float4 others[64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    const float4 me = pos[i];
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    for (int first = 0; first < 128; first += 64) {
        others[threadIdx.x] = pos[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j) {
            const float4 o = others[j];
            const float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
            const float inv = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
            const float f = o.w * inv * inv * inv;
            a.x += f * dx;
            a.y += f * dy;
            a.z += f * dz;
        }
        __syncthreads();
    }
    acc[i] = make_float4(a.x, a.y, a.z, 0.0f);
}
