// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.payments;

import io.dedup.EffectNotDone;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Says of what was not done that it may be tried again: nothing is known to have happened, so the
 * client's key is given back, and works again. A database that ended a transaction in favour of
 * another is such a case.
 */
@RestControllerAdvice
class ComeAgain {

  @ExceptionHandler({EffectNotDone.class, ConcurrencyFailureException.class})
  ProblemDetail notDone() {
    return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, "not done, try again");
  }
}
