// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.temporal.TemporalAccessor;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.spel.support.StandardTypeConverter;

/**
 * Makes text of the parts of a key, also where an expression joins them with {@code +}. A part that
 * is null must not become the text "null", and what has no text of its own must not become the name
 * of its place in memory. Thread-safe.
 */
final class KeyTexts implements TypeConverter {

  private final TypeConverter standard = new StandardTypeConverter();

  /** A part of the key is null. */
  static final class PartMissing extends RuntimeException {
    private static final long serialVersionUID = 1;

    PartMissing() {
      super("a part was null");
    }
  }

  /** No text can be made of a part. */
  static final class NoText extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoText(Class<?> type) {
      super(
          "a part was a " + type.getName() + ", must be text, a number, an id, an enum or a time");
    }
  }

  /**
   * Returns the text of a part. A number is its exact decimal value: 1, 1.0 and 1.00 are one.
   *
   * @throws PartMissing if it is null
   * @throws NoText if there is none that is the same each time
   */
  static String of(@Nullable Object part) {
    if (part == null) {
      throw new PartMissing();
    }
    if (part instanceof Enum<?> constant) {
      return constant.name();
    }
    if (part instanceof Double || part instanceof Float) {
      return number(part);
    }
    if (part instanceof BigDecimal decimal) {
      return plain(decimal);
    }
    boolean whole =
        part instanceof Integer
            || part instanceof Long
            || part instanceof Short
            || part instanceof Byte
            || part instanceof BigInteger;
    boolean text =
        part instanceof CharSequence || part instanceof Character || part instanceof Boolean;
    boolean named = part instanceof UUID || part instanceof URI || part instanceof TemporalAccessor;
    if (whole || text || named) {
      return part.toString();
    }
    throw new NoText(part.getClass());
  }

  private static String number(Object binary) {
    try {
      return plain(new BigDecimal(binary.toString()));
    } catch (NumberFormatException e) {
      // Not a number, or infinite.
      throw new NoText(binary.getClass());
    }
  }

  private static String plain(BigDecimal decimal) {
    return decimal.signum() == 0 ? "0" : decimal.stripTrailingZeros().toPlainString();
  }

  @Override
  public boolean canConvert(@Nullable TypeDescriptor source, TypeDescriptor target) {
    return target.getType() == String.class || standard.canConvert(source, target);
  }

  @Override
  public @Nullable Object convertValue(
      @Nullable Object value, @Nullable TypeDescriptor source, TypeDescriptor target) {
    return target.getType() == String.class
        ? of(value)
        : standard.convertValue(value, source, target);
  }
}
