create table account (
  id      text   primary key,
  balance bigint not null
);

-- The next two have no unique constraint, so that a payment that is booked twice shows.
create table payment (
  id        text        not null,
  payer     text        not null,
  payee     text        not null,
  amount    bigint      not null,
  booked_at timestamptz not null default now()
);

create index payment_id on payment (id);

create table posting (
  number  bigint generated always as identity primary key,
  source  text   not null,
  account text   not null references account (id),
  amount  bigint not null
);

create table payment_request (
  id text primary key
);

create table purchase_order (
  id     text   primary key,
  payer  text   not null references account (id),
  amount bigint not null,
  status text   not null
);

-- What the card company keeps, as far as this example needs it.
create table card_charge (
  id       uuid    primary key,
  approved boolean not null
);
