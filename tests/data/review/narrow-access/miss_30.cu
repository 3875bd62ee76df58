/*
[lanescope]
grid = 1
block = 64

[buffers]
p = "f32 i:64"
*/
// A bitonic sort exchanges words that are next to each other in its last round only; where the data are nearly sorted, no
// other exchange is executed. Unrolled, each round is code of its own.
__global__ void __launch_bounds__(64) k(float *p)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = p[t ^ 1];
    __syncthreads();
    for (int length = 2; length <= 64; length *= 2)
            for (int distance = length / 2; distance > 0; distance /= 2) {
            int other = t ^ distance;
            if (other > t) {
                float a = s[t], b = s[other];
                if ((t & length) == 0 ? a > b : a < b) {
                    s[t] = b;  // near
                    s[other] = a;
                }
            }
            __syncthreads();
        }
    p[t] = s[t];
}
