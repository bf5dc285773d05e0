/** The run of a test: of its own in each process that tests run in, since what has the mark of a run is ended with it, wherever it is. */
export const TEST_RUN_ID = `run_${process.pid.toString(16).padStart(12, '0')}`;
