// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.spring;

import java.util.function.Function;
import org.springframework.kafka.listener.ContainerProperties.AckMode;

/** The forms that a listener has, each in the ways in which its container acknowledges. */
enum ListenerShape {
  RECORD_RECORD(ShapeBeans.OfRecord::new, AckMode.RECORD),
  RECORD_BATCH(ShapeBeans.OfRecord::new, AckMode.BATCH),
  RECORD_COUNT(ShapeBeans.OfRecord::new, AckMode.COUNT),
  RECORD_TIME(ShapeBeans.OfRecord::new, AckMode.TIME),
  RECORD_MANUAL(ShapeBeans.OfRecordManually::new, AckMode.MANUAL),
  RECORD_MANUAL_IMMEDIATE(ShapeBeans.OfRecordManually::new, AckMode.MANUAL_IMMEDIATE),
  LIST_OF_RECORDS_BATCH(ShapeBeans.OfRecords::new, AckMode.BATCH),
  LIST_OF_RECORDS_MANUAL(ShapeBeans.OfRecordsManually::new, AckMode.MANUAL),
  LIST_OF_RECORDS_MANUAL_IMMEDIATE(ShapeBeans.OfRecordsManually::new, AckMode.MANUAL_IMMEDIATE),
  LIST_OF_PAYLOADS_BATCH(ShapeBeans.OfPayloads::new, AckMode.BATCH),
  LIST_OF_PAYLOADS_MANUAL(ShapeBeans.OfPayloadsManually::new, AckMode.MANUAL),
  LIST_OF_PAYLOADS_MANUAL_IMMEDIATE(ShapeBeans.OfPayloadsManually::new, AckMode.MANUAL_IMMEDIATE),
  POLLED_BATCH(ShapeBeans.OfPolled::new, AckMode.BATCH),
  POLLED_MANUAL(ShapeBeans.OfPolledManually::new, AckMode.MANUAL),
  POLLED_MANUAL_IMMEDIATE(ShapeBeans.OfPolledManually::new, AckMode.MANUAL_IMMEDIATE),
  LIST_OF_MESSAGES_BATCH(ShapeBeans.OfMessages::new, AckMode.BATCH),
  LIST_OF_MESSAGES_MANUAL(ShapeBeans.OfMessagesManually::new, AckMode.MANUAL),
  ONE_BY_ONE_MANUAL_IMMEDIATE(ShapeBeans.OfRecordsOneByOne::new, AckMode.MANUAL_IMMEDIATE),
  HANDLERS_BATCH(ShapeBeans.OfHandlers::new, AckMode.BATCH),
  TRANSACTION_RECORD_BATCH(ShapeBeans.OfRecord::new, AckMode.BATCH),
  TRANSACTION_RECORD_MANUAL(ShapeBeans.OfRecordManually::new, AckMode.MANUAL),
  TRANSACTION_LIST_OF_RECORDS_BATCH(ShapeBeans.OfRecords::new, AckMode.BATCH),
  TRANSACTION_LIST_OF_RECORDS_MANUAL(ShapeBeans.OfRecordsManually::new, AckMode.MANUAL),
  ASYNC_RECORD_MANUAL(ShapeBeans.OfRecordLater::new, AckMode.MANUAL),
  ASYNC_RECORD_MANUAL_IMMEDIATE(ShapeBeans.OfRecordLater::new, AckMode.MANUAL_IMMEDIATE),
  ASYNC_MONO_MANUAL(ShapeBeans.OfRecordReactively::new, AckMode.MANUAL),
  ASYNC_LIST_OF_RECORDS_MANUAL(ShapeBeans.OfRecordsLater::new, AckMode.MANUAL),
  ASYNC_LIST_OF_RECORDS_MANUAL_IMMEDIATE(ShapeBeans.OfRecordsLater::new, AckMode.MANUAL_IMMEDIATE);

  @SuppressWarnings("ImmutableEnumChecker") // A constructor reference.
  private final Function<Effects, Object> bean;

  private final AckMode ackMode;

  ListenerShape(Function<Effects, Object> bean, AckMode ackMode) {
    this.bean = bean;
    this.ackMode = ackMode;
  }

  /** Returns a bean with an annotated method of this form. */
  Object bean(Effects effects) {
    return bean.apply(effects);
  }

  AckMode ackMode() {
    return ackMode;
  }

  /** Whether each record or batch is handled in a Kafka transaction. */
  boolean isTransactional() {
    return name().startsWith("TRANSACTION_");
  }
}
