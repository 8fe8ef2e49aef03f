// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dedup.claim.StoreMisconfigured;
import io.dedup.claim.StoreUnavailable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

@ExtendWith(OutputCaptureExtension.class)
class FailureAnalysisTest {

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({DedupAutoConfiguration.class})
  static class Application {}

  @Test
  void anApplicationThatCannotStartSaysWhatToChange(CapturedOutput output) {
    assertThat(catchThrowable(() -> application().run())).isNotNull();

    assertThat(output)
        .contains("APPLICATION FAILED TO START")
        .contains("dedup.store: was not set, and the application has no RedisConnectionFactory")
        .contains("Action:")
        .contains("spring-boot-starter-data-redis");
  }

  @Test
  void aRefusedPropertyIsNamedWithWhatItWasAndMustBe(CapturedOutput output) {
    assertThat(
            catchThrowable(() -> application("dedup.store=memory", "dedup.policy.lease=0s").run()))
        .isNotNull();

    assertThat(output)
        .contains("dedup.policy.lease: was PT0S, must be at least")
        .contains("Change dedup.policy.lease.");
  }

  @Test
  void aValueThatIsNoneOfThoseThatThereAreIsToldWithThem(CapturedOutput output) {
    assertThat(catchThrowable(() -> application("dedup.store=mongo").run())).isNotNull();

    assertThat(output).contains("dedup.store").contains("mongo").contains("TIERED");
  }

  @Test
  void aMissingTableSaysHowToMakeIt() {
    FailureAnalysis analysis =
        new StoreTroubleAnalyzer()
            .analyze(
                new IllegalStateException(
                    new StoreMisconfigured("table dedup_claim: was not found", null)));

    assertThat(analysis.getDescription()).contains("table dedup_claim: was not found");
    assertThat(analysis.getAction()).contains("dedup.jdbc.schema=create").contains("Flyway");
  }

  @Test
  void aStoreThatDoesNotAnswerSaysWhereItsAddressIs() {
    FailureAnalysis analysis =
        new StoreTroubleAnalyzer()
            .analyze(new IllegalStateException(new StoreUnavailable("refused", null)));

    assertThat(analysis.getAction()).contains("spring.data.redis.*", "spring.datasource.*");
  }

  private static SpringApplication application(String... properties) {
    return new SpringApplicationBuilder(Application.class)
        .web(WebApplicationType.NONE)
        .properties(properties)
        .build();
  }
}
