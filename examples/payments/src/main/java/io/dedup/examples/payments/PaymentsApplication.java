// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Books payments. */
@SpringBootApplication(proxyBeanMethods = false)
public class PaymentsApplication {

  /** Made by Spring. */
  public PaymentsApplication() {}

  /** Runs the application alone, on servers that its properties name. */
  public static void main(String[] arguments) {
    SpringApplication.run(PaymentsApplication.class, arguments);
  }
}
