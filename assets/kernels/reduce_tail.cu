/*
A recursive sum with one grid a level: one thread of the grid launches the next level as a tail launch, which begins when
the whole grid has ended. So no block waits for another, and there is no barrier: the end of the grid is one. A host
would launch the same levels one after the other. In reduce_nested each block launches its own next level.

[lanescope]
kernel = "reduce_tail"
grid = 8
block = 128
args = ["x", "sum", 1024]

[buffers]
x = "s32 i:2048"
sum = "s32 i:1 = zeros"
*/
__global__ void __launch_bounds__(128) reduce_tail(int *x, int *sum, int half)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    // At the last level both words are neighbours.
    // lanescope: expect narrow-access
    x[i] += x[i + half];

    // lanescope: expect divergence
    if (i == 0 && half > 1) {
        half /= 2;
        reduce_tail<<<(half + 127) / 128, min(half, 128), 0, cudaStreamTailLaunch>>>(x, sum, half);
    } else if (i == 0)
        sum[0] = x[0];
}
