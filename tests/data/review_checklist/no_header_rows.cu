// This code assumes blockDim = {32, 4} and one block.
// 'p' points to a shape (4,2,32) array; p[a,b,c], shape (4,2,32).
__global__ void __launch_bounds__(128) triple(const float *p, float *q)
{
    const unsigned at = threadIdx.y * 64 + threadIdx.x;
    float x0 = p[at];
    float x1 = p[at + 32];
    // x has the register assignment
    //   register: b0
    //   thread:   c4 c3 c2 c1 c0
    //   warp:     a1 a0
    q[at] = 3.0f * x0;
    q[at + 32] = 3.0f * x1;
}
