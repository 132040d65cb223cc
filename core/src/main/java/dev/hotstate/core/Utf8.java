package dev.hotstate.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.codec.RedisCodec;
import java.nio.ByteBuffer;

/**
 * Text on its way to Redis and back. Lettuce's own codec takes a buffer outside the heap for each word of a command and
 * gives it back at once, which for a script is twenty and more a call.
 */
enum Utf8 implements RedisCodec<String, String> {
    CODEC;

    @Override
    public ByteBuffer encodeKey(String key) {
        return encoded(key);
    }

    @Override
    public ByteBuffer encodeValue(String value) {
        return encoded(value);
    }

    @Override
    public String decodeKey(ByteBuffer bytes) {
        return decoded(bytes);
    }

    @Override
    public String decodeValue(ByteBuffer bytes) {
        return decoded(bytes);
    }

    private static ByteBuffer encoded(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    private static String decoded(ByteBuffer bytes) {
        if (bytes.hasArray()) {
            return new String(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining(), UTF_8);
        }
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(bytes.position(), copy);
        return new String(copy, UTF_8);
    }
}
