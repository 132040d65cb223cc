package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.codec.StringCodec;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8Test {

    @ParameterizedTest
    @ValueSource(strings = {"", "job:1", "grün", "\u0000\u001f", "日本", "🚀 up", "half a pair: \ud83d"})
    void bytesAreThoseOfLettucesOwn(String text) {
        ByteBuffer bytes = Utf8.CODEC.encodeValue(text);

        assertThat(bytes).isEqualTo(StringCodec.UTF8.encodeValue(text)).isEqualTo(Utf8.CODEC.encodeKey(text));
        assertThat(Utf8.CODEC.decodeValue(bytes)).isEqualTo(StringCodec.UTF8.decodeValue(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "grün", "🚀 up"})
    void aPartOfABufferIsReadWhereverItIs(String text) {
        ByteBuffer word = Utf8.CODEC.encodeValue(text);
        for (ByteBuffer buffer : new ByteBuffer[] {ByteBuffer.allocate(100), ByteBuffer.allocateDirect(100)}) {
            buffer.position(7);
            ByteBuffer part = buffer.slice();
            part.put(word.duplicate()).flip();

            assertThat(Utf8.CODEC.decodeKey(part)).isEqualTo(text);
            assertThat(Utf8.CODEC.decodeValue(part)).isEqualTo(text);
        }
    }
}
