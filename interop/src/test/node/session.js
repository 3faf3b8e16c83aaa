// A session with the Counter by node-soap. Arguments: the WSDL's URL at each replica, first the one to begin with.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import soap from 'soap';
import { Standards } from './standards.js';

const ADDRESSING = 'http://www.w3.org/2005/08/addressing';
const ATTEMPTS = 200;
const PAUSE_MS = 50;
const FEWEST_ADDS = 20;

const wsdls = process.argv.slice(2);
const replicas = wsdls.map((wsdl) => new URL(wsdl).host);
let at = -1;
let retried = 0;
let goOn = false;
process.stdin.once('data', () => (goOn = true));

class Wrong extends Error {}

function check(what, expected, actual) {
  if (expected !== actual) {
    throw new Wrong(`${what}: expected ${expected}, got ${actual}`);
  }
  console.log(`ok ${what}: ${actual}`);
}

// One call: the same MessageID at the next replica when a connection fails. A fault is an answer.
async function call(client, address, operation, input, times = 1) {
  const id = `urn:uuid:${randomUUID()}`;
  let answers = 0;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const target = new URL(address);
    if (at >= 0) {
      target.host = replicas[at];
    }
    client.setEndpoint(target.href);
    client.clearSoapHeaders();
    client.addSoapHeader(`<wsa:MessageID xmlns:wsa="${ADDRESSING}">${id}</wsa:MessageID>`);
    try {
      const [answer] = await client[`${operation}Async`](input, { timeout: 60000 });
      if (++answers === times) {
        return answer;
      }
    } catch (error) {
      if (error.response) {
        throw error;
      }
      retried++;
      at = (replicas.indexOf(target.host) + 1) % replicas.length;
      await pause(PAUSE_MS);
    }
  }
  throw new Wrong(`no replica answers; tried ${ATTEMPTS} times`);
}

async function create(client) {
  const reference = (await call(client, wsdls[0].replace(/\?.*/, ''), 'createCounter', {})).EndpointReference;
  const address = reference.Address.$value ?? reference.Address;
  const parameter = reference.ReferenceParameters.ResourceId;
  return { address, id: parameter.$value ?? parameter };
}

function counter(client, address) {
  return {
    add: async (value, times) => (await call(client, address, 'add', { value }, times)).total,
    value: async () => (await call(client, address, 'getValue', {})).value,
  };
}

async function unknown(client, address) {
  try {
    await counter(client, address).add(1);
  } catch (error) {
    const fault = error.root?.Envelope?.Body?.Fault;
    return (fault?.detail ?? fault?.Detail)?.UnknownCounterFault?.message ?? '';
  }
  return '';
}

async function session() {
  const soap11 = await soap.createClientAsync(wsdls[0]);
  const soap12 = await soap.createClientAsync(wsdls[0], { forceSoap12Headers: true });
  const made = await create(soap11);
  check('the id is in the URL and in the reference parameters', made.address.split('/').pop(), made.id);
  const first = counter(soap11, made.address);
  const standards = new Standards(call, check, soap11, made.address);
  await standards.before(0);
  check('add 3, sent twice with one MessageID', 3, await first.add(3, 2));
  check('add 10', 13, await first.add(10));
  check('value', 13, await first.value());
  await standards.classic();
  const other = counter(soap12, (await create(soap12)).address);
  check('add 1 to another counter by SOAP 1.2', 1, await other.add(1));
  check('value of the other by SOAP 1.2', 1, await other.value());
  check('value of the first by SOAP 1.2', 13, await counter(soap12, made.address).value());
  const nowhere = made.address.replace(/[^/]*$/, '0'.repeat(32));
  check('SOAP 1.1 tells an unknown counter', true, (await unknown(soap11, nowhere)).includes('0'.repeat(32)));
  check('SOAP 1.2 tells an unknown counter', true, (await unknown(soap12, nowhere)).includes('0'.repeat(32)));

  console.log('busy');
  let adds = 0;
  while (!goOn || adds < FEWEST_ADDS) {
    adds++;
    await pause(PAUSE_MS / 5);
    const total = await first.add(1);
    if (total !== 13 + adds) {
      check(`add ${adds} while busy`, 13 + adds, total);
    }
  }
  check('value after being busy', 13 + adds, await first.value());
  check('value of the other', 1, await other.value());
  check('add 100', 113 + adds, await first.add(100));
  await standards.after([3, ...Array.from({ length: adds + 1 }, (_, i) => 13 + i), 113 + adds], first.add);
  console.log(`retried ${retried}`);
  console.log('end');
}

session().then(
  () => process.exit(0),
  (error) => {
    console.log(error instanceof Wrong ? `WRONG ${error.message}` : `WRONG ${error.stack}\n${error.body ?? ''}`);
    process.exit(1);
  },
);
