/*
[lanescope]
block = 64

[buffers]
p = "f32 i:4 j:64"
q = "f32 i:4 j:64 = zeros"
*/
__global__ void __launch_bounds__(64) wrong_claim(const float *p, float *q)
{
    float x0 = p[threadIdx.x];
    float x1 = p[threadIdx.x + 128];
    float x2 = p[threadIdx.x + 64];
    float x3 = p[threadIdx.x + 192];

    // x has the following register assignment:
    //   register: i1 i0
    //   thread:   j4 j3 j2 j1 j0
    //   warp:     j5

    q[threadIdx.x] = x0;
    q[threadIdx.x + 64] = x1;
    q[threadIdx.x + 128] = x2;
    q[threadIdx.x + 192] = x3;
}
