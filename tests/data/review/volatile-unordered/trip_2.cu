/*
One block reads what another one writes, with nothing that orders them.

[lanescope]
grid = 2
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
n = "u32 i:64 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, volatile float *q, unsigned *n)
{
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0)
        q[0] = p[5];
    else
        q[1] = q[0];
}
