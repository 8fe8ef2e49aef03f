// SPDX-License-Identifier: Apache-2.0
package io.dedup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dedup.Transactions;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.PersistenceConfiguration;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.hibernate.annotations.JdbcType;
import org.hibernate.type.descriptor.jdbc.VarcharJdbcType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.vendor.HibernateJpaDialect;
import org.springframework.transaction.IllegalTransactionStateException;

/** Guards and entities in one transaction, which is that of JPA. */
class GuardsBesideJpaTest extends OnEachDatabase {

  // Kept here, as a level is forgotten with its logger.
  private static final Logger hibernate = Logger.getLogger("org.hibernate");

  static {
    hibernate.setLevel(Level.WARNING);
  }

  private EntityManagerFactory factory;
  private Transactions transactions;
  private CasTransitions<State> purchases;
  private String id;

  /** The states of a purchase. */
  enum State {
    PENDING,
    PAYING
  }

  /** An entity that a guard works on, too. */
  @Entity
  @Table(name = "purchase")
  static class Purchase {
    @Id String id;

    @Enumerated(EnumType.STRING)
    @Column(length = 20)
    @JdbcType(VarcharJdbcType.class)
    State state = State.PENDING;

    String note;
    @Version long version;

    Purchase() {}

    Purchase(String id) {
      this.id = id;
    }
  }

  @BeforeEach
  void open() {
    factory =
        new PersistenceConfiguration("purchases")
            .provider("org.hibernate.jpa.HibernatePersistenceProvider")
            .managedClass(Purchase.class)
            .property("jakarta.persistence.nonJtaDataSource", dataSource())
            .property("jakarta.persistence.schema-generation.database.action", "drop-and-create")
            .createEntityManagerFactory();
    JpaTransactionManager manager = new JpaTransactionManager(factory);
    manager.setJpaDialect(new HibernateJpaDialect());
    manager.setDataSource(dataSource());
    manager.afterPropertiesSet();
    transactions = SpringTransactions.of(manager);
    purchases =
        CasTransitions.builder(dataSource(), State.class)
            .table("purchase")
            .allow(State.PENDING, State.PAYING)
            .build();
    id = newName("p");
  }

  @AfterEach
  void close() {
    factory.close();
  }

  @Test
  void anEntityAndATransitionAreCommittedTogether() throws Exception {
    transactions.inTransaction(
        () -> {
          entities().persist(new Purchase(id));
          entities().flush();
          return assertThat(purchases.transition(id, State.PENDING, State.PAYING))
              .isInstanceOf(CasTransitions.Applied.class);
        });

    assertThat(stateOf(id)).isEqualTo("PAYING");
  }

  @Test
  void anEntityAndATransitionAreRolledBackTogether() throws Exception {
    transactions.inTransaction(() -> persisted(id + "b"));
    assertThatThrownBy(
            () ->
                transactions.inTransaction(
                    () -> {
                      persisted(id);
                      purchases.transition(id + "b", State.PENDING, State.PAYING);
                      throw new IllegalStateException("handler");
                    }))
        .hasMessage("handler");

    assertThat(purchases.transition(id, State.PENDING, State.PAYING))
        .isInstanceOf(CasTransitions.Missing.class);
    assertThat(stateOf(id + "b")).isEqualTo("PENDING");
  }

  @Test
  void anEntityThatWasNotFlushedIsNotThereYet() throws Exception {
    transactions.inTransaction(
        () -> {
          entities().persist(new Purchase(id));
          return assertThat(purchases.transition(id, State.PENDING, State.PAYING))
              .isInstanceOf(CasTransitions.Missing.class);
        });
  }

  @Test
  void anEntityShowsATransitionOnceItIsRefreshed() throws Exception {
    transactions.inTransaction(() -> persisted(id));
    transactions.inTransaction(
        () -> {
          Purchase loaded = entities().find(Purchase.class, id);
          purchases.transition(id, State.PENDING, State.PAYING);
          assertThat(loaded.state).isEqualTo(State.PENDING);
          entities().refresh(loaded);
          return assertThat(loaded.state).isEqualTo(State.PAYING);
        });
  }

  /** The version is that of both, so neither undoes what the other wrote. */
  @Test
  void anEntityThatAGuardHasOvertakenIsRefused() throws Exception {
    VersionedUpdate update =
        VersionedUpdate.builder(dataSource()).table("purchase").set("note").build();
    transactions.inTransaction(() -> persisted(id));

    assertThatThrownBy(
            () ->
                transactions.inTransaction(
                    () -> {
                      Purchase loaded = entities().find(Purchase.class, id);
                      assertThat(update.update(id, loaded.version, "guard"))
                          .isInstanceOf(VersionedUpdate.Applied.class);
                      loaded.note = "entity";
                      entities().flush();
                      return null;
                    }))
        .isInstanceOf(OptimisticLockException.class);

    assertThat(update.update(id, 0, "again")).isEqualTo(new VersionedUpdate.Applied(1));
    assertThat(update.update(id, 0, "late")).isEqualTo(new VersionedUpdate.Stale(1));
  }

  /** A manager that does not know the DataSource begins transactions that nobody else can join. */
  @Test
  void aManagerThatDoesNotShowItsConnectionIsRefused() {
    JpaTransactionManager hidden = new JpaTransactionManager(factory);
    hidden.setJpaDialect(new HibernateJpaDialect());
    assertThatThrownBy(
            () ->
                SpringTransactions.of(hidden)
                    .inTransaction(() -> purchases.transition(id, State.PENDING, State.PAYING)))
        .isInstanceOf(IllegalTransactionStateException.class)
        .hasMessageContaining("not one of this DataSource");
  }

  private Purchase persisted(String purchase) {
    Purchase made = new Purchase(purchase);
    entities().persist(made);
    entities().flush();
    return made;
  }

  private EntityManager entities() {
    return EntityManagerFactoryUtils.getTransactionalEntityManager(factory);
  }

  private String stateOf(String purchase) {
    return sql().queryForObject("SELECT state FROM purchase WHERE id = ?", String.class, purchase);
  }
}
