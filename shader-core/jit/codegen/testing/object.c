// Objects as the code generator might make them, for link_test.cpp.
#include <stddef.h>
#include <stdint.h>

#if defined(LACKS_INPUTS)
const uint64_t tessera_inputs_of_another[4] = {1, 0, 1, 0};
#else
const uint64_t tessera_inputs[4] = {1, 0, 1, 0};
#endif

void* memset(void* to, int value, size_t bytes);
void tessera_call_of_nobody(uint8_t* bytes);

static const float kTable[] = {2, 3, 5, 7};
#if defined(HAS_ADDRESS)
const float* const kOwnAddress = kTable;
#endif

// bytes[0]: how many of the bytes to fill.
void tessera_block(uint8_t* bytes) {
    const size_t count = bytes[0];
    memset(bytes, (int)kTable[count & 3], count);
#if defined(CALLS_NOBODY)
    tessera_call_of_nobody(bytes);
#elif defined(HAS_ADDRESS)
    bytes[1] = (uint8_t)kOwnAddress[count];
#endif
}
