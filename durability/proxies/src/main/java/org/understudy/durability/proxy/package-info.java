/**
 * What the durability compiler generates extends: one proxy for each state object of a service, and the service with its actions.
 *
 * <h2>The form of generated code</h2>
 *
 * A proxy for an object with the mechanism replication. {@code repeat} and {@code capture} are called before the object's method, so
 * that arguments travel as they were, and whatever the method throws. A record a repeated method holds its arguments:
 *
 * <pre>{@code
 * final class MachineQueueProxy extends ReplicationProxy<MachineQueue> implements MachineQueue {
 *   MachineQueueProxy(MachineQueueState machines) {
 *     super("machines", machines, fieldsOf(machines), List.of(Insert.class));
 *   }
 *
 *   public Machine find(int memory) {                 // a read
 *     return object().find(memory);
 *   }
 *
 *   public void insert(Machine machine) {             // <update method="insert"><repeat deterministic="true"/></update>
 *     repeat(new Insert(machine));
 *     object().insert(machine);
 *   }
 *
 *   public Machine allocate(String job) throws None { // <update method="allocate"><capture/></update>
 *     capture();
 *     return object().allocate(job);
 *   }
 *
 *   record Insert(Machine machine) implements Call<MachineQueue> {
 *     public void on(MachineQueue machines) {
 *       machines.insert(machine);
 *     }
 *   }
 * }
 * }</pre>
 *
 * With {@code <checkpoint>} and {@code <restore>} the third argument is a {@link org.understudy.replication.api.StateCapture} that calls
 * the methods of the mapping. A proxy for an object with the mechanism database:
 *
 * <pre>{@code
 * final class AccountSetProxy extends DatabaseProxy<AccountSet> implements AccountSet {
 *   AccountSetProxy(SqlDatabase database) {
 *     super("accounts", AccountSetState::new, database, List.of("CREATE TABLE bills (...)"));
 *   }
 *
 *   protected void load(SqlAction sql, AccountSet accounts) {
 *     for (Object[] row : sql.query("SELECT client, balance FROM bills")) {
 *       accounts.insertBill((String) row[0], ((Number) row[1]).intValue());
 *     }
 *   }
 *
 *   protected Map<String, List<Class<?>>> columnTypes() {
 *     return Map.ofEntries(Map.entry("SELECT client, balance FROM bills", List.<Class<?>>of(String.class, int.class)));
 *   }
 *
 *   public void insertBill(String client, int balance) {
 *     updating();
 *     try {
 *       object().insertBill(client, balance);
 *       sql().update("INSERT INTO bills VALUES (?, ?)", client, balance);
 *       updated();
 *     } finally {
 *       ended();
 *     }
 *   }
 * }
 * }</pre>
 *
 * With the mechanism reconstruction, an update method calls {@code update()} and then the object's method.
 *
 * <p>The service. A fault with {@code changes="keep"} sets {@code keep}; all else that is thrown undoes. Operations marked as reads only
 * delegate. Without database objects it extends {@link org.understudy.durability.proxy.DurableService}:
 *
 * <pre>{@code
 * @WebService(...)                                     // as at the service
 * public class DurableMatchmaker extends DurableDatabaseService implements MatchmakerPortType {
 *   private final Matchmaker service;
 *
 *   public DurableMatchmaker(ResourceHome<?> home) {
 *     super(home, SqlDatabaseProvider.openDatabase(home));
 *     MachineQueueProxy machines = durable(new MachineQueueProxy(new MachineQueueState()));
 *     AccountSetProxy accounts = durable(new AccountSetProxy(database()));
 *     service = new Matchmaker(machines, accounts);
 *   }
 *
 *   public Machine jobSubmit(Job job) throws NoMatchingMachine {
 *     boolean keep = false;
 *     startA();
 *     try {
 *       Machine result = service.jobSubmit(job);
 *       keep = true;
 *       return result;
 *     } catch (NoMatchingMachine fault) {
 *       keep = true;
 *       throw fault;
 *     } finally {
 *       endA(keep);
 *     }
 *   }
 * }
 * }</pre>
 */
package org.understudy.durability.proxy;
