package org.understudy.durability.proxy;

import java.util.List;

/** As generated: the mechanism database. */
final class AccountSetProxy extends DatabaseProxy<AccountSet> implements AccountSet {
  AccountSetProxy(SqlDatabase database) {
    super("accounts", AccountSetState::new, database, List.of("CREATE TABLE bills (client VARCHAR(40), balance INT)"));
  }

  @Override
  protected void load(SqlAction sql, AccountSet accounts) {
    for (Object[] row : sql.query("SELECT client, balance FROM bills")) {
      accounts.insertBill((String) row[0], ((Number) row[1]).intValue());
    }
  }

  @Override
  public int balance(String client) {
    return object().balance(client);
  }

  @Override
  public void insertBill(String client, int balance) {
    updating();
    try {
      object().insertBill(client, balance);
      sql().update("INSERT INTO bills VALUES (?, ?)", client, balance);
      updated();
    } finally {
      ended();
    }
  }

  @Override
  public void charge(String client, int amount) throws UnknownMachineException {
    updating();
    try {
      object().charge(client, amount);
      sql().update("UPDATE bills SET balance = balance + ? WHERE client = ?", amount, client);
      updated();
    } finally {
      ended();
    }
  }

  @Override
  public void insertBillWith(String client, int balance, Runnable other) {
    updating();
    try {
      object().insertBillWith(client, balance, other);
      sql().update("INSERT INTO bills VALUES (?, ?)", client, balance);
      updated();
    } finally {
      ended();
    }
  }
}
