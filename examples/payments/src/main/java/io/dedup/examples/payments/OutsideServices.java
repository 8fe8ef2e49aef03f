// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;

/** Stands in for the services of others, where nobody else does. */
@Configuration(proxyBeanMethods = false)
class OutsideServices {

  @Bean
  @Fallback
  RiskCheck noRisk() {
    return id -> {};
  }

  @Bean
  @Fallback
  CardCompany generousCardCompany() {
    return (id, payer, amount) -> true;
  }
}
