// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit;

import io.dedup.claim.ClaimStore;
import io.dedup.claim.StoreTime;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;

/**
 * What every {@link ClaimStore} must do. The author of a store extends this class, says how a store
 * is made, and runs it.
 *
 * <p>Nothing in it is optional and nothing is skipped. Every step is compared with the store in
 * memory, answers and records alike; keys are new in each test, so the data need not be emptied in
 * between. Tests run one after the other, and nobody else may change the data meanwhile.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
public abstract class ClaimStoreContract {

  /** For a subclass. */
  protected ClaimStoreContract() {}

  /**
   * Returns a store that judges by {@code time}. Called at least once in each test, after the
   * subclass's own {@code @BeforeEach}. It may hold what earlier tests left, or be empty.
   */
  protected abstract ClaimStore createStore(StoreTime time);

  /**
   * Returns a store as another process would have it: another object, with connections of its own,
   * over the data of {@code store}. A store that nobody else can reach returns {@code store}.
   *
   * @param store what {@link #createStore} returned in this test
   * @param time the time that {@code store} judges by
   */
  protected abstract ClaimStore anotherProcess(ClaimStore store, StoreTime time);

  @Nested
  class ClaimsOfNewKeys extends ClaimingNewKeys {
    ClaimsOfNewKeys() {
      super(ClaimStoreContract.this);
    }
  }

  @Nested
  class ClaimsOfHeldKeys extends ClaimingHeldKeys {
    ClaimsOfHeldKeys() {
      super(ClaimStoreContract.this);
    }
  }

  @Nested
  class ClaimsOfSettledKeys extends ClaimingSettledKeys {
    ClaimsOfSettledKeys() {
      super(ClaimStoreContract.this);
    }
  }

  @Nested
  class Settlements extends Settling {
    Settlements() {
      super(ClaimStoreContract.this);
    }
  }

  @Nested
  class Fences extends Fencing {
    Fences() {
      super(ClaimStoreContract.this);
    }
  }

  @Nested
  class RandomHistories extends Histories {
    RandomHistories() {
      super(ClaimStoreContract.this);
    }
  }

  @Nested
  class Resending extends Resends {
    Resending() {
      super(ClaimStoreContract.this);
    }
  }

  @Nested
  class DistinctKeys extends Keys {
    DistinctKeys() {
      super(ClaimStoreContract.this);
    }
  }

  @Nested
  class Batches extends BatchesInOrder {
    Batches() {
      super(ClaimStoreContract.this);
    }
  }

  @Nested
  class WhatIsKept extends Contents {
    WhatIsKept() {
      super(ClaimStoreContract.this);
    }
  }

  @Nested
  class Issues extends Issuing {
    Issues() {
      super(ClaimStoreContract.this);
    }
  }

  @Nested
  class OperatorsDecisions extends DecidingByHand {
    OperatorsDecisions() {
      super(ClaimStoreContract.this);
    }
  }

  @Nested
  class Merges extends Merging {
    Merges() {
      super(ClaimStoreContract.this);
    }
  }

  @Nested
  class HowLongIsKept extends Keeping {
    HowLongIsKept() {
      super(ClaimStoreContract.this);
    }
  }

  @Nested
  class Races extends Contention {
    Races() {
      super(ClaimStoreContract.this);
    }
  }

  @Nested
  class TheStoresOwnClock extends RealClock {
    TheStoresOwnClock() {
      super(ClaimStoreContract.this);
    }
  }

  @Nested
  class TwoProcesses extends SeveralProcesses {
    TwoProcesses() {
      super(ClaimStoreContract.this);
    }
  }
}
