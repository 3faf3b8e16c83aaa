// WS-ResourceProperties, WS-ResourceLifetime and WS-BaseNotification by node-soap, before and after a failover. It builds
// and reads all of it from the contracts; for a QName or a topic, `attributes` declare the prefix and `$value` is the text.
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import soap from 'soap';

const COUNTER = 'http://counter.com';
const CONCRETE = 'http://docs.oasis-open.org/wsn/t-1/TopicExpression/Concrete';
const WAIT_MS = 30000;
const PAUSE_MS = 20;

const qname = (name) => ({ attributes: { 'xmlns:c': COUNTER }, $value: `c:${name}` });
const topic = (name = 'Value', dialect = CONCRETE) => ({
  TopicExpression: { attributes: { 'xmlns:c': COUNTER, Dialect: dialect }, $value: `c:${name}` },
});
const text = (element) => element?.$value ?? element;
const list = (elements) => [elements ?? []].flat();
const seconds = (from, to) => Math.round((new Date(text(to)) - new Date(text(from))) / 1000);

function newValues(messages) {
  return list(messages).map((message) =>
    Number(text(message.Message.ResourcePropertyValueChangeNotification.NewValues.Value)));
}

// Hears notifications; one that comes again under the same wsa:MessageID is dropped.
class Consumer {
  ids = new Set();
  values = [];

  // The contract is one of which Notify is an operation.
  async listen(contract) {
    this.server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) {
        body += chunk;
      }
      this.hear(contract.xmlToObject(body));
      response.writeHead(202, { 'Content-Length': 0 }).end();
    });
    await new Promise((listening) => this.server.listen(0, '127.0.0.1', listening));
    this.address = `http://127.0.0.1:${this.server.address().port}/`;
  }

  hear({ Header, Body }) {
    const id = text(Header.MessageID);
    if (!this.ids.has(id)) {
      this.ids.add(id);
      this.values.push(...newValues(Body.Notify.NotificationMessage));
    }
  }

  async heard(count) {
    for (const end = Date.now() + WAIT_MS; this.values.length < count && Date.now() < end; ) {
      await pause(PAUSE_MS);
    }
    return [...this.values];
  }
}

// One session with one counter.
export class Standards {
  consumer = new Consumer();

  // How to call and to check is the session's: `call(client, address, operation, input)`.
  constructor(call, check, client, address) {
    this.call = call;
    this.check = check;
    this.counter = (operation, input = {}) => call(client, address, operation, input);
    this.services = address.replace(/\/services\/.*/, '/services/');
  }

  client(name, options) {
    return soap.createClientAsync(`${this.services}${name}?wsdl`, options);
  }

  async before(total) {
    const { check, counter } = this;
    this.managers = await this.client('SubscriptionManager');
    // The pull point by SOAP 1.2, the rest by SOAP 1.1.
    this.points = await this.client('PullPoint', { forceSoap12Headers: true });
    await this.consumer.listen(this.points.wsdl);
    check('GetResourceProperty', String(total), text((await counter('GetResourceProperty', qname('Value'))).Value));
    const document = (await counter('GetResourcePropertyDocument')).CounterProperties;
    check('the property document has the value', String(total), text(document.Value));
    const granted = await counter('SetTerminationTime', { RequestedLifetimeDuration: 'PT1H' });
    check('SetTerminationTime', 3600, seconds(granted.CurrentTime, granted.NewTerminationTime));
    const manager = await this.subscribe({ ConsumerReference: { Address: this.consumer.address }, Filter: topic() });
    this.subscription = (operation, input = {}) => this.call(this.managers, manager, operation, input);
    const made = await this.call(
      await this.client('CreatePullPoint', { forceSoap12Headers: true }),
      `${this.services}CreatePullPoint`, 'CreatePullPoint', {});
    const point = text(made.PullPoint.Address);
    this.point = (operation, input = {}) => this.call(this.points, point, operation, input);
    await this.subscribe({ ConsumerReference: { Address: point }, Filter: topic() });
    await this.refusals();
  }

  // Answers the address of the subscription.
  async subscribe(input) {
    return text((await this.counter('Subscribe', input)).SubscriptionReference.Address);
  }

  async refusals() {
    const me = { Address: this.consumer.address };
    await this.fault('unknown topic', 'TopicNotSupportedFault',
      () => this.subscribe({ ConsumerReference: me, Filter: topic('Nothing') }));
    await this.fault('unknown dialect', 'TopicExpressionDialectUnknownFault',
      () => this.subscribe({ ConsumerReference: me, Filter: topic('Value', 'urn:none') }));
    const early = await this.fault('a time in the past', 'UnacceptableInitialTerminationTimeFault',
      () => this.subscribe({ ConsumerReference: me, InitialTerminationTime: '2001-01-01T00:00:00Z' }));
    this.check('it tells the earliest time', true, new Date(text(early.MinimumTime)).getFullYear() > 2001);
    await this.fault('unknown subscription', 'ResourceUnknownFault',
      () => this.call(this.managers, `${this.services}SubscriptionManager/${'0'.repeat(32)}`, 'Unsubscribe', {}));
    await this.fault('unknown property', 'InvalidResourcePropertyQNameFault',
      () => this.counter('GetResourceProperty', qname('Nothing')));
  }

  // Create, add 3, notification 3, add 10, notification 13; the first two adds of the session do it.
  async classic() {
    this.check('notifications of the classic session', '3,13', (await this.consumer.heard(2)).slice(0, 2).join());
  }

  // The replica with which it began may be gone; nobody subscribes again.
  async after(totals, add) {
    const { check, subscription, point } = this;
    this.same('the consumer heard every value, in order', totals, await this.consumer.heard(totals.length));
    this.same('the pull point kept every value, in order', totals, await this.fetch(totals.length));
    await subscription('PauseSubscription');
    await add(1);
    await subscription('ResumeSubscription');
    const renewed = await subscription('Renew', { TerminationTime: 'PT30M' });
    check('Renew', 1800, seconds(renewed.CurrentTime, renewed.TerminationTime));
    const heard = [...totals, await add(1)];
    this.same('paused, it hears nothing; resumed, it does', heard, await this.consumer.heard(heard.length));
    await subscription('Unsubscribe');
    await this.fault('unsubscribed twice', 'ResourceUnknownFault', () => subscription('Unsubscribe'));
    await point('DestroyPullPoint');
    await this.fault('a destroyed pull point', 'ResourceUnknownFault', () => point('GetMessages', { MaximumNumber: 1 }));
    await this.counter('Destroy');
    await this.fault('a destroyed counter', 'ResourceUnknownFault',
      () => this.counter('GetResourceProperty', qname('Value')));
  }

  async fetch(count) {
    const values = [];
    for (const end = Date.now() + WAIT_MS; values.length < count && Date.now() < end; ) {
      values.push(...newValues((await this.point('GetMessages', { MaximumNumber: 50 }))?.NotificationMessage));
    }
    return values;
  }

  // Answers what the fault's detail holds.
  async fault(what, expected, call) {
    let found;
    try {
      await call();
    } catch (error) {
      found = error.root?.Envelope?.Body?.Fault;
      if (found === undefined) {
        throw error;
      }
    }
    const detail = found?.detail ?? found?.Detail ?? {};
    this.check(what, expected, Object.keys(detail)[0] ?? `${what} is no fault with a detail`);
    return detail[expected];
  }

  // Of long lists, the first difference is what one wants to read.
  same(what, expected, actual) {
    const longer = expected.length > actual.length ? expected : actual;
    const at = longer.findIndex((_, i) => expected[i] !== actual[i]);
    this.check(`${what} (${actual.length})`, 'all', at < 0 ? 'all' : `${actual[at]} for ${expected[at]}, the ${at + 1}th`);
  }
}
