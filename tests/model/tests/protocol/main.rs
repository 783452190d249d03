use wadi_model::{checker::check, runs, Setup, Task::*, Task};
const A: Task = Append { key: None };
const X: Task = Append { key: Some('x') };
const Y: Task = Append { key: Some('y') };
fn w(list: &[(&str, &[Task])]) -> Setup { list.iter().fold(Setup::new(), |s,(n,t)| s.with(n,t)) }
#[test]
fn all() {
    let only = std::env::var("ONLY").ok();
    let all: Vec<(&str, Setup)> = vec![
        ("2w s2 2seals", w(&[("a",&[A]),("b",&[A]),("s",&[Seal,Seal])]).alike(2).sends(2)),
        ("2w s2 reader2", runs::two_writers().with("r",&[Read,Read])),
        ("2w s2 2seals reader2", w(&[("a",&[A]),("b",&[A]),("s",&[Seal,Seal]),("r",&[Read,Read])]).alike(2).sends(2)),
        ("2w s2 2seals reader1 par", w(&[("a",&[A]),("b",&[A]),("s",&[Seal,Seal]),("r",&[Read])]).alike(2).sends(2).scans_in_parallel()),
        ("2w 2 each s1", w(&[("a",&[A,A]),("b",&[A,A]),("s",&[Seal])]).alike(2)),
        ("2w 2 each s1 2 seals", w(&[("a",&[A,A]),("b",&[A,A]),("s",&[Seal, Seal])]).alike(2)),
        ("key retry", w(&[("a",&[X,X]),("b",&[X]),("s",&[Seal]),("r",&[Read])]).sends(2)),
        ("D4 keys", w(&[("a",&[X,Y]),("b",&[X]),("s",&[Seal]),("r",&[Read])]).sends(2)),
        ("D5 grace3", runs::two_writers_and_reader().periods(1,3)),
        ("lease2 grace3", runs::two_writers_and_reader().periods(2,3)),
        ("3w s2", runs::three_writers().sends(2)),
        ("C9 3w 2seals", w(&[("a",&[A]),("b",&[A]),("c",&[A]),("s",&[Seal,Seal])]).alike(3)),
        ("D2 3w reader", runs::three_writers().with("r",&[Read])),
        ("del s2", runs::delete_and_recreate().sends(2)),
        ("del par reader", runs::delete_recreate_and_reader().scans_in_parallel()),
        ("del 2 creators", w(&[("w",&[A]),("d",&[Delete,Create]),("c",&[Create,A])])),
        ("del 2 deleters", w(&[("d",&[Delete,Create,A]),("d2",&[Delete]),("r",&[Read])])),
        ("E2", runs::two_late_puts().with("r",&[Read])),
    ];
    for (name, setup) in all {
        if only.as_ref().is_some_and(|o| o != name) { continue; }
        let report = check(&setup);
        println!("{name}: {} states {} steps depth {} {:?}", report.states, report.steps, report.depth, report.elapsed);
        if let Some(violation) = report.violation {
            println!("{}", violation.fault);
            for (i, action) in violation.actions.iter().enumerate() { println!("  {}. {}", i+1, action.describe(&setup)); }
        }
    }
}
