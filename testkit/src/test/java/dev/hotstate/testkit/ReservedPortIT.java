package dev.hotstate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReservedPortIT {

    @Test
    void aPortIsReservedOnceUntilItIsGivenBack() {
        List<ReservedPort> reserved = IntStream.range(0, 200)
                .parallel()
                .mapToObj(i -> ReservedPort.reserve())
                .toList();
        try {
            Set<Integer> numbers = new HashSet<>();
            reserved.forEach(port -> numbers.add(port.number()));
            assertThat(numbers).hasSize(200);
        } finally {
            reserved.forEach(ReservedPort::close);
        }
    }
}
