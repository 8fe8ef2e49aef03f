// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments.show;

import io.dedup.examples.payments.CardCompany;
import io.dedup.examples.payments.Ledger;
import io.dedup.examples.payments.Orders;
import io.dedup.examples.payments.PaymentsApplication;
import io.dedup.examples.payments.RiskCheck;
import java.util.stream.Stream;
import org.springframework.boot.Banner;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** The application, running. */
final class Application implements AutoCloseable {

  private final ConfigurableApplicationContext context;

  /**
   * Starts it.
   *
   * @param port of its HTTP server, 0 for any that is free
   * @param outside the services of others
   */
  Application(Stage stage, int port, Outside outside) {
    this.context =
        new SpringApplicationBuilder(PaymentsApplication.class)
            .bannerMode(Banner.Mode.OFF)
            .logStartupInfo(false)
            .initializers(made -> register((GenericApplicationContext) made, outside))
            .run(
                Stream.concat(
                        Stream.of(
                            "server.port=" + port,
                            "logging.level.root=" + System.getProperty("log.level", "error")),
                        stage.properties().stream())
                    .map(property -> "--" + property)
                    .toArray(String[]::new));
  }

  private static void register(GenericApplicationContext context, Outside outside) {
    context.registerBean(RiskCheck.class, outside::risk);
    context.registerBean(CardCompany.class, outside::cards);
  }

  Ledger ledger() {
    return context.getBean(Ledger.class);
  }

  Orders orders() {
    return context.getBean(Orders.class);
  }

  int port() {
    return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
  }

  @Override
  public void close() {
    context.close();
  }

  /**
   * The services of others, which outlive the application.
   *
   * @param risk fails at first
   * @param cards counts charges
   */
  record Outside(UnreliableRiskCheck risk, CountingCardCompany cards) {}
}
