// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.claim.StoreException;
import io.dedup.claim.StoreTime;
import io.dedup.key.KeyFormat;
import io.dedup.testkit.server.RedisServer;
import io.dedup.testkit.server.ServerExtension;
import io.dedup.testkit.server.Servers;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Scripts that reply what ours never do: none of it is an answer. */
class ScriptRepliesTest {

  @RegisterExtension static final ServerExtension<RedisServer> redis = Servers.redis();

  private static final Map<Driver, Driver.Connections> connections = new EnumMap<>(Driver.class);

  @BeforeAll
  static void connect() {
    for (Driver driver : Driver.values()) {
      connections.put(driver, driver.connect(redis.get().host(), redis.get().port()));
    }
  }

  @AfterAll
  static void disconnect() throws Exception {
    for (Driver.Connections open : connections.values()) {
      open.close();
    }
  }

  /** What a script may return or reply to a key instead. */
  private enum Mutation {
    NOTHING("return replies", "return nil"),
    FALSE("return replies", "return false"),
    TRUE("return replies", "return true"),
    AN_EMPTY_LIST("return replies", "return {}"),
    A_NUMBER("return replies", "return 1"),
    A_TEXT("return replies", "return 'Y'"),
    A_STATUS("return replies", "return redis.status_reply('OK')"),
    AN_ERROR("return replies", "return redis.error_reply('MADEUP error')"),
    A_SHORT_LIST("return replies", "return { replies[1] }"),
    A_LONG_LIST("return replies", "replies[#replies + 1] = 'Y' return replies"),
    NO_TIME("return replies", "replies[1] = 'yesterday' return replies"),
    A_NUMBER_FOR_TIME("return replies", "replies[1] = 1 return replies"),
    NOTHING_FOR_A_KEY("= reply", "= false"),
    A_NUMBER_FOR_A_KEY("= reply", "= 7"),
    AN_EMPTY_TEXT_FOR_A_KEY("= reply", "= ''"),
    AN_UNKNOWN_CODE("= reply", "= 'Q'"),
    AN_ANSWER_OF_ANOTHER_VERB("= reply", "= 'T\\2'"),
    A_LIST_FOR_A_KEY("= reply", "= { reply }"),
    AN_ANSWER_WITH_A_TAIL("= reply", "= 'K' .. reply"),
    AN_ANSWER_CUT_SHORT("= reply", "= sub(reply, 1, 3)");

    private final String here;
    private final String instead;

    Mutation(String here, String instead) {
      this.here = here;
      this.instead = instead;
    }

    Scripts of(Verb... verbs) {
      Map<Verb, Script> scripts = new EnumMap<>(Verb.class);
      String text = Script.of(RedisLayout.STANDARD, verbs).text();
      String mutated = text.replace(here, instead);
      assertThat(mutated).as("the mutated script").isNotEqualTo(text);
      for (Verb verb : verbs) {
        scripts.put(verb, Script.ofText(mutated));
      }
      return new Scripts(scripts);
    }
  }

  @ParameterizedTest
  @EnumSource
  void noneOfThemIsAnAnswerByLettuce(Mutation mutation) {
    assertThatNoneIsAnAnswer(mutation, Driver.LETTUCE);
  }

  @ParameterizedTest
  @EnumSource
  void noneOfThemIsAnAnswerByJedis(Mutation mutation) {
    assertThatNoneIsAnAnswer(mutation, Driver.JEDIS);
  }

  @ParameterizedTest
  @EnumSource
  void noneOfThemIsAnAnswerByRedisson(Mutation mutation) {
    assertThatNoneIsAnAnswer(mutation, Driver.REDISSON);
  }

  private static void assertThatNoneIsAnAnswer(Mutation mutation, Driver driver) {
    Scripts exchange = mutation.of(Verb.SETTLE, Verb.CLAIM);
    RedisClaimStore store =
        new RedisClaimStore(
            new ScriptRunner(connections.get(driver).factory(), StoreTime.ofServer()),
            new KeyNames("dedup", KeyFormat.digest()),
            exchange,
            RedisLayout.STANDARD);

    assertThatThrownBy(() -> Use.claim(store, Use.newKey()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("Redis");
  }
}
