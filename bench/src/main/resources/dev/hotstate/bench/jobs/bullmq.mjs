// BullMQ doing the benchmark's work, told so by lines of JSON on standard input; each is answered by one.
// Usage: node bullmq.mjs REDIS_PORT
import { createInterface } from 'node:readline';
import { FlowProducer, Queue, Worker } from 'bullmq';

const connection = { host: '127.0.0.1', port: Number(process.argv[2]), maxRetriesPerRequest: null };
const BULK = 200;
const options = { removeOnComplete: false };

const work = {
  // Flows of one parent and some children: added first, then worked off.
  async flows({ count, children, concurrency }) {
    const name = fresh('flows');
    const flows = new FlowProducer({ connection });
    const leaf = (i) => ({ name: 'child', queueName: name, data: { i }, opts: options });
    const addingSince = performance.now();
    for (let first = 0; first < count; first += BULK) {
      const flow = () => ({
        name: 'parent',
        queueName: name,
        data: {},
        opts: options,
        children: Array.from({ length: children }, (_, i) => leaf(i)),
      });
      await flows.addBulk(Array.from({ length: Math.min(BULK, count - first) }, flow));
    }
    const added = performance.now() - addingSince;
    const worked = await workOff(name, count * (children + 1), concurrency);
    await flows.close();
    await forget(name);
    return { added, worked };
  },

  // One chain, in which each job waits for the one below it.
  async chain({ length, concurrency }) {
    const name = fresh('chain');
    const flows = new FlowProducer({ connection });
    let node = { name: 'task', queueName: name, data: {}, opts: options };
    for (let i = 1; i < length; i++) {
      node = { name: 'task', queueName: name, data: {}, opts: options, children: [node] };
    }
    await flows.add(node);
    const worked = await workOff(name, length, concurrency);
    await flows.close();
    await forget(name);
    return { worked };
  },
};

// From when the worker is connected and begins until it has done so many.
async function workOff(name, jobs, concurrency) {
  let left = jobs;
  let done;
  const all = new Promise((resolve) => (done = resolve));
  const worker = new Worker(name, async () => ({}), { connection, concurrency, autorun: false });
  worker.on('completed', () => --left === 0 && done());
  worker.on('error', (error) => { throw error; });
  await worker.waitUntilReady();
  const since = performance.now();
  const running = worker.run();
  await all;
  const worked = performance.now() - since;
  await worker.close();
  await running;
  return worked;
}

async function forget(name) {
  const queue = new Queue(name, { connection });
  await queue.obliterate({ force: true });
  await queue.close();
}

let number = 0;
const fresh = (what) => `${what}-${process.pid}-${++number}`;

for await (const line of createInterface({ input: process.stdin })) {
  const { what, ...how } = JSON.parse(line);
  console.log(JSON.stringify(await work[what](how)));
}
process.exit(0);
