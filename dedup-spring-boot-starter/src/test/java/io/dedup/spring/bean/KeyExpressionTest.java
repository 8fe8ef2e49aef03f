// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.key.ExtractedId;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.ReflectionUtils;

/** Keys as expressions over parameters. */
class KeyExpressionTest {

  private static final UUID ID = UUID.fromString("7f1c0b5e-3d0f-4c55-9a57-1d6f0a3f9e11");

  record Customer(String name) {}

  record Order(Long number, Customer customer) {}

  /** What beans have instead of a record. */
  public static final class Invoice {
    public String getNumber() {
      return "i-7";
    }
  }

  enum Type {
    PAY {
      @Override
      public String toString() {
        return "to pay";
      }
    }
  }

  @SuppressWarnings("unused") // Its signature is what matters.
  static void pay(
      Order order,
      Invoice invoice,
      Type type,
      Map<String, Object> header,
      List<String> tags,
      Object any) {}

  static Stream<Arguments> keys() {
    return Stream.of(
        Arguments.of("#order.number + ':' + #type", "4711:PAY"),
        Arguments.of("#order.customer.name", "Ann"),
        Arguments.of("#order.number()", "4711"),
        Arguments.of("#invoice.number", "i-7"),
        Arguments.of("#a0.number", "4711"),
        Arguments.of("#p2", "PAY"),
        Arguments.of("#header['id']", "h-1"),
        Arguments.of("#header.id", "h-1"),
        Arguments.of("#tags", "a|b\\|c"),
        Arguments.of("{#order.number, #type}", "4711|PAY"),
        Arguments.of("#tags.![#this.length()]", "1|3"),
        Arguments.of("#tags[0]", "a"),
        Arguments.of("#any != null ? #any : #order.number + null", ID.toString()),
        Arguments.of("#any", ID.toString()));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void aKeyIsMadeOfWhatTheArgumentsHold(String text, String id) {
    assertThat(read(text, new Order(4711L, new Customer("Ann")), ID))
        .isEqualTo(new ExtractedId.Found(id));
  }

  /** A part that is null is never the text "null". */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "#order.number",
        "#order.number + ':pay'",
        "'pay:' + #order.number",
        "{#type, #order.number}",
        "#order.customer.name",
        "#any == null ? #order.number + 'x' : 'there'",
        "#order.number ?: #any + 'x'",
        "#header['other']",
        "' '",
      })
  void aKeyWithAPartThatIsNullIsMissing(String text) {
    assertThat(read(text, new Order(null, null), null)).isInstanceOf(ExtractedId.Missing.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"#any", "'pay:' + #any", "{#type, #any}"})
  void whatHasNoTextOfItsOwnIsNoKey(String text) {
    assertThat(read(text, new Order(1L, null), new byte[] {1}))
        .isInstanceOf(ExtractedId.Unreadable.class);
    assertThat(read(text, new Order(1L, null), new Object()))
        .isInstanceOf(ExtractedId.Unreadable.class);
  }

  @Test
  void aNumberIsItsExactValueHoweverItIsWritten() {
    assertThat(KeyTexts.of(new BigDecimal("1.00"))).isEqualTo(KeyTexts.of(1)).isEqualTo("1");
    assertThat(KeyTexts.of(1.0)).isEqualTo("1");
    assertThat(KeyTexts.of(9007199254740993L)).isEqualTo("9007199254740993");
    assertThat(KeyTexts.of(new BigDecimal("1E+3"))).isEqualTo("1000");
    assertThatThrownBy(() -> KeyTexts.of(Double.NaN)).isInstanceOf(KeyTexts.NoText.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "#order.number +|must be an expression",
        "#ordr.number|must refer to a parameter, one of [order, invoice, type,",
        "#a6|must refer to a parameter",
        "#root|must refer to a parameter",
        "order.number|must begin with a parameter: 'order' is of nothing, add a #",
        "#order.numbr|KeyExpressionTest$Order has no 'numbr'",
        "#order.customer.nam|KeyExpressionTest$Customer has no 'nam'",
        "#order.numbre()|has no method 'numbre'",
        "{#type, number}|'number' is of nothing",
        "T(java.lang.System).exit(1)|no types",
        "@bean.id(#order)|no types, beans",
        "new String('a')|constructors",
      })
  void whatRefersToNothingIsRefused(String text, String message) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("key: was '" + text + "'")
        .hasMessageContaining(message);
  }

  @Test
  void anEmptyExpressionIsRefused() {
    assertThatThrownBy(() -> parse(" ")).hasMessage("key: was blank, must be an expression");
  }

  private static KeyExpression parse(String text) {
    var method =
        ReflectionUtils.findMethod(
            KeyExpressionTest.class,
            "pay",
            Order.class,
            Invoice.class,
            Type.class,
            Map.class,
            List.class,
            Object.class);
    return KeyExpression.parse(text, Parameters.of(method, KeyExpressionTest.class));
  }

  private static ExtractedId read(String text, Order order, Object any) {
    return parse(text)
        .read(
            new Object[] {
              order, new Invoice(), Type.PAY, Map.of("id", "h-1"), List.of("a", "b|c"), any
            });
  }
}
