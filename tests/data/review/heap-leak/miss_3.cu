/*
[lanescope]
grid = 1
block = 64
[buffers]
q = "s32 i:64 = zeros"
*/
// A list, freed node by node; free(nullptr) does nothing.
struct Node {
    int value;
    Node *next;
};
__global__ void __launch_bounds__(64) k(int *q)
{
    Node *head = nullptr;
    for (int i = 0; i < threadIdx.x % 5; ++i) head = new Node{i, head};
    int sum = 0;
    while (head != nullptr) {
        Node *next = head->next;
        sum += head->value;
        delete head;
        head = next;
    }
    free(nullptr);
    q[threadIdx.x] = sum;
}
